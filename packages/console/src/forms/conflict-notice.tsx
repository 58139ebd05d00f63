/**
 * Lists the fields that another operator has saved meanwhile. For each field the operator keeps the own value or takes
 * the other value.
 */
import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Radio } from "antd";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { LastSave } from "@red/contract/platform/fields";
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
  /** Reads who saved last, and when. It is called once. */
  lastSave: () => Promise<LastSave>;
  onChoose: (change: TheirChange, value: unknown) => void;
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
    const text = texts.join(t("list_comma"));
    return text === "" ? t("merged_empty") : text;
  };
}

interface ChangeProps extends Pick<ConflictNoticeProps, "words" | "onChoose"> {
  change: TheirChange;
}

/**
 * Offers a choice if both operators changed the field. Otherwise it shows the value that was taken, and a button that
 * restores the other value.
 */
function Change({ change, words, onChoose }: ChangeProps) {
  const { t } = useTranslation("ui");
  const textOf = useTextOf(words);
  const [isMine, setMine] = useState(change.kept);
  const { name, place, title, kept } = change;
  const field = words.labels[name] ?? name;
  const cell = { row: (place ?? 0) + 1, title: title ?? "", field };
  const label = place === undefined ? field : t("merged_cell", cell);
  const before = textOf(name, change.before);
  const theirs = textOf(name, change.theirs);
  const mine = textOf(name, change.mine);
  const choose = (chosen: boolean) => {
    setMine(chosen);
    onChoose(change, chosen ? change.mine : change.theirs);
  };
  if (!kept) {
    const [from, to] = isMine ? [theirs, mine] : [before, theirs];
    return (
      <li>
        {t("merged_taken", { label, from, to })}
        {mine !== theirs && (
          <Button type="link" size="small" onClick={() => choose(!isMine)}>
            {t("merged_back", { value: from })}
          </Button>
        )}
      </li>
    );
  }
  if (place !== undefined && change.theirs === null) {
    return <li>{t("merged_gone", cell)}</li>;
  }
  return (
    <li>
      {t("merged_field", { label, before })}
      <Radio.Group
        // The label of the field is not used here: two controls would have the same name.
        aria-label={t("merged_choose")}
        defaultValue="mine"
        options={[
          { value: "theirs", label: t("merged_theirs", { value: theirs }) },
          { value: "mine", label: t("merged_mine", { value: mine }) },
        ]}
        onChange={({ target }) => choose(target.value === "mine")}
      />
    </li>
  );
}

export function ConflictNotice({ changes, lastSave, ...rest }: ConflictNoticeProps) {
  const { t } = useTranslation("ui");
  const id = useId();
  const { data: saved } = useQuery({ queryKey: ["last save", id], queryFn: lastSave });
  // Scrolls to the notice: the button that loaded the new version may be at the other end of a long form.
  useEffect(() => {
    document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
  return (
    <Alert
      id={id}
      type="info"
      showIcon
      className="k-form-alert"
      title={t(changes.some(({ kept }) => kept) ? "merged" : "merged_same")}
      description={
        <>
          {saved && <p>{t("merged_by", saved)}</p>}
          <ul className="k-merged">
            {changes.map((change, at) => (
              <Change key={at} change={change} {...rest} />
            ))}
          </ul>
        </>
      }
    />
  );
}
