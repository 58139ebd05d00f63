/** Fills a form with what it holds at first, or with what was entered before it was interrupted. */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useEffect, useState } from "react";
import { dropDraft, isSameInput, loadDraft, saveDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";

export interface Draft {
  /** What the fields hold was put back. */
  readonly restored: boolean;
  /** Takes it back again: the fields hold what they held at first. */
  readonly discard: () => void;
  /** Does the form hold something else than at first? */
  readonly isChanged: () => boolean;
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

/**
 * `initial` is undefined while it is being loaded. `key` names the draft: the same form about the
 * same thing in the same version; with another key the form starts over.
 */
export function useDraft<V extends object>(
  form: FormInstance<V>,
  initial: Fields | undefined,
  key: string,
): Draft {
  const [restored, setRestored] = useState(false);
  const ready = initial !== undefined;
  const isChanged = () => ready && !isSameInput(initial, form.getFieldsValue(true));
  useEffect(() => {
    if (!ready) {
      return;
    }
    const draft = loadDraft(key);
    fill(form, { ...initial, ...draft });
    setRestored(draft !== null);
    // oxlint-disable-next-line react/exhaustive-deps -- once per thing that is edited, not per render
  }, [ready, key, form]);
  // Also what is filled in for the operator, as by a preset.
  const values: unknown = Form.useWatch((all: V) => all, form);
  useEffect(() => {
    if (isChanged()) {
      saveDraft(key, form.getFieldsValue(true));
    } else if (ready) {
      dropDraft(key);
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `values` stands for what the form holds
  }, [ready, values, key, form]);
  const discard = () => {
    dropDraft(key);
    fill(form, initial ?? {});
    setRestored(false);
  };
  return { restored, discard, isChanged };
}
