/** A name, choices and a code: a new operator, the roles of one, a new key. */
import { Checkbox, Input } from "antd";
import type { InputRef } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CodeDialog } from "#forms/code-dialog.tsx";

interface ChoicesDialogProps<C extends string> {
  title: string;
  hint: string;
  /** Null: there is none to type. */
  naming: { readonly length: number; readonly missing: string } | null;
  legend: string;
  options: readonly { readonly value: C; readonly label: string; readonly may: string }[];
  chosen: readonly C[];
  /** Said when there are none. */
  missing: string;
  onCode: (name: string, chosen: C[], code: string) => Promise<string | null>;
  onClose: () => void;
}

export function ChoicesDialog<C extends string>(props: ChoicesDialogProps<C>) {
  const { title, hint, naming, legend, options, onCode, onClose } = props;
  const { t } = useTranslation(["operator", "ui"]);
  const input = useRef<InputRef>(null);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<C[]>([...props.chosen]);
  const [fault, setFault] = useState<string | null>(null);
  const check = () => {
    const choiceFault = chosen.length === 0 ? props.missing : null;
    const found = naming !== null && name.trim() === "" ? naming.missing : choiceFault;
    setFault(found);
    return found === null;
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
            maxLength={naming.length}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </label>
      )}
      <fieldset className="o-fields">
        <legend>{legend}</legend>
        <Checkbox.Group
          className="o-choices"
          value={chosen}
          onChange={setChosen}
          options={options.map(({ value, label, may }) => ({
            value,
            label: (
              <>
                {label} <span className="k-note">{may}</span>
              </>
            ),
          }))}
        />
      </fieldset>
      <p
        className={fault === null ? "d-code-hint" : "d-code-fault"}
        role={fault === null ? undefined : "alert"}
      >
        {fault ?? hint}
      </p>
    </CodeDialog>
  );
}
