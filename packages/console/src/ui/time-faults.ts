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

/** The form item's rule: refuses unreadable times and half ranges; accepts other kinds of fields. */
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

/** Removes the errors of changed fields, and shows at once which of them are unreadable. */
export function refreshFaults(form: FormInstance, changed: object): void {
  const marked = Object.keys(changed).filter((name) => form.getFieldError(name).length > 0);
  form.setFields(marked.map((name) => ({ name, errors: [] })));
  const names = Object.entries(changed).flatMap(([name, value]) => (isUnread(value) ? [name] : []));
  if (names.length > 0) {
    // Each field shows its own message.
    void form.validateFields(names).catch(() => undefined);
  }
}
