/** Fills a form with what it holds at first, or with what was entered before it was interrupted. */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { dropDraft, isSameInput, loadDraft, saveDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";
import { mergeInput } from "./merge.ts";
import type { TheirChange } from "./merge.ts";

interface Begun {
  readonly key: string;
  /** What the fields hold without anything entered. */
  readonly initial: Fields;
  readonly values: Fields;
  readonly restored: boolean;
  /** What somebody else has changed since an older version; null where there was none. */
  readonly changes: readonly TheirChange[] | null;
}

export interface Draft {
  /** What the form is rendered with: its `initialValues`, so that it need not be rendered twice. */
  readonly values: Fields | undefined;
  /** What the fields hold was put back. */
  readonly restored: boolean;
  /** What was entered is kept in a newer version, in which these were changed; else null. */
  readonly changes: readonly TheirChange[] | null;
  /** Takes it back again: the fields hold what they held at first. */
  readonly discard: () => void;
  /** Does the form hold something else than at first? */
  readonly isChanged: () => boolean;
}

function begin(initial: Fields, key: string): Begun {
  const draft = loadDraft(key);
  const values = { ...initial, ...draft };
  return { key, initial, values, restored: draft !== null, changes: null };
}

/** Every field anew, those that `fields` leaves out empty; nothing of it counts as entered. */
function fill<V extends object>(form: FormInstance<V>, fields: Fields): void {
  const names = new Set([...Object.keys(form.getFieldsValue(true)), ...Object.keys(fields)]);
  // `setFields` types names by the values' type, which is generic here.
  type Data = Parameters<typeof form.setFields>[0];
  form.setFields(
    [...names].map((name) => ({
      name,
      value: fields[name],
      errors: [],
      touched: false,
    })) as unknown as Data,
  );
}

/** Does the form hold something else than `initial`, which is undefined while it is being loaded? */
function isEntered<V extends object>(form: FormInstance<V>, initial: Fields | undefined): boolean {
  return initial !== undefined && !isSameInput(initial, form.getFieldsValue(true));
}

/**
 * `initial` is undefined while it is being loaded. `key` names the draft: the same form about the
 * same thing in the same version; with another key the form starts over. With `merges` another key is a
 * newer version of it, and what was entered goes on top.
 */
export function useDraft<V extends object>(
  form: FormInstance<V>,
  initial: Fields | undefined,
  key: string,
  merges = false,
): Draft {
  const [begun, setBegun] = useState<Begun | null>(null);
  if (initial !== undefined && begun?.key !== key) {
    if (begun === null || !merges) {
      setBegun(begin(initial, key));
    } else {
      const merged = mergeInput(begun.initial, form.getFieldsValue(true), initial);
      setBegun({ key, initial, ...merged, restored: false });
    }
  }
  const filled = useRef<string | null>(null);
  // Before anything looks at what the form holds now.
  useLayoutEffect(() => {
    if (begun === null) {
      return;
    }
    if (filled.current !== null && filled.current !== begun.key) {
      fill(form, begun.values);
      if (begun.changes !== null) {
        dropDraft(filled.current);
      }
    }
    filled.current = begun.key;
  }, [begun, form]);
  const discard = () => {
    dropDraft(key);
    fill(form, initial ?? {});
    setBegun((now) => now && { ...now, restored: false, changes: null });
  };
  return {
    values: begun?.values,
    restored: begun?.restored === true,
    changes: begun?.changes ?? null,
    discard,
    isChanged: () => isEntered(form, initial),
  };
}

interface DraftKeeperProps<V extends object> {
  form: FormInstance<V>;
  initial: Fields | undefined;
  draftKey: string;
}

/**
 * Keeps what the form holds, also what is filled in for the operator, as by a preset. A part of its own
 * inside the form, so that nothing else of it is rendered again with every entry.
 */
export function DraftKeeper<V extends object>({ form, initial, draftKey }: DraftKeeperProps<V>) {
  const values: unknown = Form.useWatch((all: V) => all, form);
  useEffect(() => {
    if (isEntered(form, initial)) {
      saveDraft(draftKey, form.getFieldsValue(true));
    } else if (initial !== undefined) {
      dropDraft(draftKey);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `values` stands for what the form holds
  }, [values, draftKey, form]);
  return null;
}
