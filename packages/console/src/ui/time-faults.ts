import type { FormInstance, FormRule } from "antd";
import { useTranslation } from "react-i18next";
import { momentOf, unreadOf } from "./typed-time.ts";

function endsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isUnread(value: unknown): boolean {
  return endsOf(value).some((end) => unreadOf(end) !== undefined);
}

function isHalf(value: unknown): boolean {
  return endsOf(value).filter((end) => momentOf(end)).length === 1;
}

/**
 * Rule of a form item. It rejects unreadable times and ranges with only one end, and accepts all other kinds of fields.
 */
export function useTimeRule(kind: string): FormRule {
  const { t } = useTranslation("ui");
  return {
    validator: (_, value: unknown) => {
      if (isUnread(value)) {
        return Promise.reject(new Error(t(kind === "date" ? "date_unread" : "time_unread")));
      }
      return kind === "range" && isHalf(value)
        ? Promise.reject(new Error(t("range_half")))
        : Promise.resolve();
    },
  };
}

/** Removes the errors of the changed fields, and marks unreadable times among them at once. */
export function refreshFaults(form: FormInstance, changed: object): void {
  const marked = Object.keys(changed).filter((name) => form.getFieldError(name).length > 0);
  form.setFields(marked.map((name) => ({ name, errors: [] })));
  const names = Object.entries(changed).flatMap(([name, value]) => (isUnread(value) ? [name] : []));
  if (names.length > 0) {
    // The error needs no handling, because each field shows its own message.
    void form.validateFields(names).catch(() => undefined);
  }
}
