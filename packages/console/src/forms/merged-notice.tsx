import { Alert, Form } from "antd";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { dayjs } from "#ui/wall-time.ts";
import type { TheirChange } from "./merge.ts";

const TIME = "YYYY-MM-DD HH:mm:ss";

export interface FormWords {
  readonly labels: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface MergedNoticeProps {
  changes: readonly TheirChange[];
  words: FormWords;
}

export function MergedNotice({ changes, words }: MergedNoticeProps) {
  const { t } = useTranslation("ui");
  const form = Form.useFormInstance();
  const textOf = (name: string, value: unknown) => {
    if (dayjs.isDayjs(value)) {
      return value.format(TIME);
    }
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    return text === "" ? t("merged_empty") : (words.choices[name]?.[text] ?? text);
  };
  // A mark disappears with the next entry, or on saving.
  useEffect(() => {
    form.setFields(
      changes
        .filter(({ kept }) => kept)
        .map(({ name, now }) => ({
          name,
          warnings: [t("merged_mark", { now: textOf(name, now) })],
        })),
    );
    // oxlint-disable-next-line react/exhaustive-deps -- once per loaded version
  }, [changes]);
  return (
    <Alert
      type="info"
      showIcon
      className="k-form-alert"
      title={t(changes.length === 0 ? "merged_same" : "merged")}
      description={
        changes.length > 0 && (
          <ul className="k-merged">
            {changes.map(({ name, before, now, kept }) => (
              <li key={name}>
                {t(kept ? "merged_kept" : "merged_taken", {
                  label: words.labels[name] ?? name,
                  before: textOf(name, before),
                  now: textOf(name, now),
                })}
              </li>
            ))}
          </ul>
        )
      }
    />
  );
}
