import { Alert, Button, Form } from "antd";
import type { FormInstance } from "antd";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { dropDraft, isSameInput, loadDraft, saveDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";
import type { Merge, TheirChange } from "./merge.ts";

interface Begun {
  readonly key: string;
  readonly initial: Fields;
  readonly values: Fields;
  /** True if `values` were restored from a draft. */
  readonly restored: boolean;
  /** Changes of another operator that were merged with the input, or null. */
  readonly changes: readonly TheirChange[] | null;
}

function begin(initial: Fields, key: string): Begun {
  const draft = loadDraft(key);
  const values = { ...initial, ...draft };
  return { key, initial, values, restored: draft !== null, changes: null };
}

/** Sets every field to its value in `fields`, or clears it if it has none. All fields become untouched. */
function fill<V extends object>(form: FormInstance<V>, fields: Fields): void {
  const names = new Set([...Object.keys(form.getFieldsValue(true)), ...Object.keys(fields)]);
  // `setFields` expects exact field names, which are generic here.
  type Data = Parameters<typeof form.setFields>[0];
  const empty = { errors: [], touched: false };
  const data = [...names].map((name) => ({ name, value: fields[name], ...empty }));
  form.setFields(data as unknown as Data);
}

/** Returns whether the form differs from `initial`, which is undefined while loading. */
function isEntered<V extends object>(form: FormInstance<V>, initial: Fields | undefined): boolean {
  return initial !== undefined && !isSameInput(initial, form.getFieldsValue(true));
}

/**
 * Keeps the draft of a form. `initial` is undefined while loading; `key` identifies form, subject and version. A new
 * key resets the form. With `merge`, a new key means a newer version, and the input is merged into it.
 */
export function useDraft<V extends object>(
  form: FormInstance<V>,
  initial: Fields | undefined,
  key: string,
  merge: Merge | null = null,
) {
  const [begun, setBegun] = useState<Begun | null>(null);
  if (initial !== undefined && begun?.key !== key) {
    if (begun === null || merge === null) {
      setBegun(begin(initial, key));
    } else {
      const merged = merge(begun.initial, form.getFieldsValue(true), initial);
      setBegun({ key, initial, ...merged, restored: false });
    }
  }
  const filled = useRef<string | null>(null);
  // A layout effect runs before other effects, so they cannot read the old values.
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
    /** Pass these as `initialValues` of the form, so that the form renders only once. */
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
 * Stores the input of the form, also values that a preset has filled in. As a separate component it renders on every
 * entry without the rest of the form.
 */
export function DraftKeeper<V extends object>({ form, initial, draftKey }: DraftKeeperProps<V>) {
  const values: unknown = Form.useWatch((all: V) => all, form);
  useEffect(() => {
    if (isEntered(form, initial)) {
      saveDraft(draftKey, form.getFieldsValue(true));
    } else if (initial !== undefined) {
      dropDraft(draftKey);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `values` stands for the form's values
  }, [values, draftKey, form]);
  return null;
}

interface DraftNoteProps {
  draft: ReturnType<typeof useDraft>;
  /** Asks the operator whether the input may be discarded. */
  mayDiscard: () => Promise<boolean>;
}

/** Tells the operator that the input was restored, and offers to discard it. */
export function DraftNote({ draft, mayDiscard }: DraftNoteProps) {
  const { t } = useTranslation("ui");
  const discard = async () => {
    if (await mayDiscard()) {
      draft.discard();
    }
  };
  return (
    draft.restored && (
      <Alert
        type="info"
        showIcon
        className="k-form-alert"
        title={t("draft_restored")}
        action={
          <Button size="small" onClick={() => void discard()}>
            {t("draft_discard")}
          </Button>
        }
      />
    )
  );
}
