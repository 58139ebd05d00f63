/** A name, choices and a code: a new operator, the roles of one, a new key. */
import { Checkbox, Input } from "antd";
import type { InputRef } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type * as z from "zod/mini";
import { faultsIn } from "#forms/check.ts";
import { CodeDialog } from "#forms/code-dialog.tsx";

interface ChoicesDialogProps<C extends string> {
  title: string;
  hint: string;
  /** Length of the name; null: there is none to type. */
  naming: number | null;
  field: "roles" | "scopes";
  /** What the server accepts. */
  body: z.ZodMiniType;
  options: readonly C[];
  /** Of an option: its label, and what it permits. */
  wordsOf: (option: C) => readonly [string, string];
  chosen: readonly C[];
  onCode: (name: string, chosen: C[], code: string) => Promise<string | null>;
  onClose: () => void;
}

export function ChoicesDialog<C extends string>(props: ChoicesDialogProps<C>) {
  const { title, hint, naming, field, options, wordsOf, onCode, onClose } = props;
  const { t } = useTranslation(["operator", "ui"]);
  const input = useRef<InputRef>(null);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<C[]>([...props.chosen]);
  const [faults, setFaults] = useState<ReturnType<typeof faultsIn>>([]);
  const [ofName, ofChoices] = ["name", field].map((one) => faults.find((is) => is.field === one));
  const entered = { [field]: chosen, ...(naming !== null && { name }) };
  const check = (told = faultsIn(props.body, entered)) => {
    setFaults(told);
    return !told.some((one) => one.field in entered);
  };
  return (
    <CodeDialog
      title={title}
      okText={t("ui:save")}
      onCode={(code) => onCode(name, chosen, code)}
      onClose={onClose}
      first={{ check, ...(naming !== null && { input }) }}
    >
      {naming !== null && (
        <label className="o-fields">
          {t("name")}
          <Input
            ref={input}
            maxLength={naming}
            autoComplete="off"
            value={name}
            {...(ofName && { status: "error" as const })}
            aria-invalid={ofName !== undefined}
            onChange={({ target }) => setName(target.value)}
          />
          <span className="d-code-fault" role="alert">
            {ofName?.msg}
          </span>
        </label>
      )}
      <fieldset className="o-fields">
        <legend>{t(field)}</legend>
        <Checkbox.Group
          className="o-choices"
          value={chosen}
          onChange={setChosen}
          options={options.map((value) => {
            const [label, may] = wordsOf(value);
            const words = [
              label,
              " ",
              <span className="k-note" key="may">
                {may}
              </span>,
            ];
            return { value, label: words };
          })}
        />
      </fieldset>
      <p className={ofChoices ? "d-code-fault" : "d-code-hint"} role={ofChoices && "alert"}>
        {ofChoices?.msg ?? hint}
      </p>
    </CodeDialog>
  );
}
