import { useMutation } from "@tanstack/react-query";
import { Form } from "antd";
import type { FormInstance } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "#ui/busy-button.tsx";
import { useFirstField } from "#ui/first-field.ts";
import { DIALOG_WIDTH, LargeDialog } from "#ui/dialog.tsx";
import { dropDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";
import { DraftKeeper, useDraft } from "./use-draft.tsx";
import "./ask-dialog.css";

interface AskDialogProps<V extends object, A> {
  title: string;
  form: FormInstance<V>;
  /** The caller must pass the same object in every render. */
  initial: Fields;
  /** Key of the draft, built from the question and its subject. */
  draftKey: string;
  /** Resolves to null if the call failed; the API layer has already shown the error. */
  onAsk: (values: V) => Promise<A | null>;
  onEntry?: (changed: Partial<V>) => void;
  onClose: () => void;
  children: ReactNode;
  showAnswer: (answer: A | null) => ReactNode;
}

/**
 * Shows the answer to the values that were sent. When a field is edited, the answer is removed and a later response is
 * ignored.
 */
export function AskDialog<V extends object, A>(props: AskDialogProps<V, A>) {
  const { title, form, initial, draftKey, onAsk, onEntry, onClose, children } = props;
  const { t } = useTranslation("ui");
  const { fields, focus } = useFirstField(true, draftKey);
  const draft = useDraft(form, initial, draftKey);
  const asking = useMutation({ mutationFn: onAsk });
  return (
    <LargeDialog
      title={title}
      width={DIALOG_WIDTH.form}
      onOpened={focus}
      onCancel={() => {
        dropDraft(draftKey);
        onClose();
      }}
      footer={null}
      destroyOnHidden
    >
      <div ref={fields} className="k-form">
        <Form<V>
          form={form}
          layout="vertical"
          initialValues={draft.values as Partial<V>}
          onValuesChange={(changed: Partial<V>) => {
            asking.reset();
            onEntry?.(changed);
          }}
          onFinish={(values) => asking.mutate(values)}
        >
          <DraftKeeper form={form} initial={initial} draftKey={draftKey} />
          {children}
          <BusyButton type="primary" htmlType="submit" busy={asking.isPending}>
            {t("query")}
          </BusyButton>
        </Form>
        <div role="status">{props.showAnswer(asking.data ?? null)}</div>
      </div>
    </LargeDialog>
  );
}
