/** A form with a name and checkboxes, for a new operator, the roles of an operator or a new key. */
import { Checkbox, Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import type * as z from "zod/mini";
import { assertBody } from "#forms/check.ts";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import type { Words } from "#lib/proof.ts";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";

/** The dialog sets only the fields that the form shows. */
interface Choices<C extends string> {
  name: string;
  roles: C[];
  scopes: C[];
}

interface ChoicesDialogProps<C extends string> {
  title: string;
  hint: string;
  draftKey: string;
  /** Maximum length of the name. Null: the form has no name field. */
  naming: number | null;
  field: "roles" | "scopes";
  body: z.ZodMiniType;
  options: readonly C[];
  /** Returns the label of an option, and a text that says what the option permits. */
  wordsOf: (option: C) => readonly [string, string];
  chosen: readonly C[];
  /** The returned promise rejects with the error of the call. */
  onSave: (entered: Choices<C>, asked: { words: Words; close: () => void }) => Promise<unknown>;
  onClose: () => void;
}

export function ChoicesDialog<C extends string>(props: ChoicesDialogProps<C>) {
  const { title, hint, draftKey, naming, field, body, options, wordsOf, onSave, onClose } = props;
  const { t } = useTranslation(["operator", "ui"]);
  const [form] = Form.useForm<Choices<C>>();
  const save = async (entered: Choices<C>, close: Close) => {
    assertBody(body, entered);
    await onSave(entered, { words: { title, okText: t("ui:save") }, close });
  };
  return (
    <FormDialog<Choices<C>>
      title={title}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={{ [field]: props.chosen, ...(naming !== null && { name: "" }) }}
      draftKey={draftKey}
      okText={t("ui:save")}
      onSubmit={save}
      onClose={onClose}
    >
      {naming !== null && (
        <Form.Item name="name" label={t("name")}>
          <Input maxLength={naming} autoComplete="off" />
        </Form.Item>
      )}
      <Form.Item name={field} label={t(field)} extra={hint}>
        <Checkbox.Group
          className="o-choices"
          role="group"
          aria-label={t(field)}
          options={options.map((value) => {
            const [name, may] = wordsOf(value);
            const label = (
              <>
                {name} <span className="k-note">{may}</span>
              </>
            );
            return { value, label };
          })}
        />
      </Form.Item>
    </FormDialog>
  );
}
