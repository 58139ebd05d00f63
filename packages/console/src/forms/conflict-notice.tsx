/** What somebody else has saved meanwhile, field by field; each field can take either value. */
import { useQuery } from "@tanstack/react-query";
import { Alert, Form, Radio } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { LastSave } from "@red/contract/fields";
import { dayjs } from "#ui/wall-time.ts";
import type { TheirChange } from "./merge.ts";

const TIME = "YYYY-MM-DD HH:mm:ss";

export interface FormWords {
  readonly labels: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface ConflictNoticeProps {
  changes: readonly TheirChange[];
  words: FormWords;
  /** Reads who saved last, once for this notice. */
  lastSave: () => Promise<LastSave>;
}

function useTextOf({ choices }: FormWords) {
  const { t } = useTranslation("ui");
  return (name: string, value: unknown): string => {
    if (dayjs.isDayjs(value)) {
      return value.format(TIME);
    }
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = values.map((one) => {
      const text = typeof one === "string" || typeof one === "number" ? String(one) : "";
      return choices[name]?.[text] ?? text;
    });
    const text = texts.join(t("merged_and"));
    return text === "" ? t("merged_empty") : text;
  };
}

function FieldChoice({ change, words }: { change: TheirChange; words: FormWords }) {
  const { t } = useTranslation("ui");
  const form = Form.useFormInstance();
  const textOf = useTextOf(words);
  const { name, before, mine, theirs, kept } = change;
  const label = words.labels[name] ?? name;
  return (
    <li>
      {t("merged_field", { label, before: textOf(name, before) })}
      <Radio.Group
        // Without the field's label, which would name two things.
        aria-label={t("merged_choose")}
        defaultValue={kept ? "mine" : "theirs"}
        options={[
          { value: "theirs", label: t("merged_theirs", { value: textOf(name, theirs) }) },
          { value: "mine", label: t("merged_mine", { value: textOf(name, mine) }) },
        ]}
        onChange={({ target }) =>
          form.setFields([
            { name, value: target.value === "mine" ? mine : theirs, errors: [], touched: true },
          ])
        }
      />
    </li>
  );
}

export function ConflictNotice({ changes, words, lastSave }: ConflictNoticeProps) {
  const { t } = useTranslation("ui");
  const id = useId();
  const { data: saved } = useQuery({ queryKey: ["last save", id], queryFn: lastSave });
  return (
    <Alert
      type="info"
      showIcon
      className="k-form-alert"
      title={t(changes.length === 0 ? "merged_same" : "merged")}
      description={
        <>
          {saved && <p>{t("merged_by", saved)}</p>}
          {changes.length > 0 && (
            <ul className="k-merged">
              {changes.map((change) => (
                <FieldChoice key={change.name} change={change} words={words} />
              ))}
            </ul>
          )}
        </>
      }
    />
  );
}
