/** A dialog that asks the server one question and shows the answer under the form. */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "#ui/busy-button.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { useFirstField } from "#ui/first-field.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useIsMobile } from "#ui/media.ts";
import { dropDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";
import { DraftKeeper, useDraft } from "./use-draft.ts";
import "./ask-dialog.css";

interface AskDialogProps<V extends object> {
  title: string;
  form: FormInstance<V>;
  /** What the fields hold at first; must be the same object at every call. */
  initial: Fields;
  /** Names the draft: the same question about the same thing. */
  draftKey: string;
  /** Asks, and shows the answer; the shared handling tells of a failure. */
  onAsk: (values: V) => Promise<void>;
  /** An answer belongs to what was asked: with another entry it has to go. */
  onEntry: (changed: Partial<V>) => void;
  onClose: () => void;
  children: ReactNode;
  answer: ReactNode;
}

export function AskDialog<V extends object>(props: AskDialogProps<V>) {
  const { title, form, initial, draftKey, onAsk, onEntry, onClose, children, answer } = props;
  const { t } = useTranslation("ui");
  const [busy, setBusy] = useState(false);
  const isMobile = useIsMobile();
  const { fields, focus } = useFirstField(true, draftKey);
  const draft = useDraft(form, initial, draftKey);
  const ask = async (values: V) => {
    setBusy(true);
    try {
      await onAsk(values);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      title={title}
      width={isMobile ? "100%" : DIALOG_WIDTH.form}
      className={isMobile ? "k-dialog k-dialog-full" : "k-dialog"}
      onCancel={() => {
        dropDraft(draftKey);
        onClose();
      }}
      footer={null}
      destroyOnHidden
      afterOpenChange={(open) => {
        if (open) {
          focus();
        }
      }}
    >
      <div ref={fields} className="k-form">
        <Form<V>
          form={form}
          layout="vertical"
          initialValues={draft.values as Partial<V>}
          onValuesChange={onEntry}
          onFinish={(values) => void ask(values)}
        >
          <DraftKeeper form={form} initial={initial} draftKey={draftKey} />
          {children}
          <BusyButton type="primary" htmlType="submit" busy={busy}>
            {t("query")}
          </BusyButton>
        </Form>
        <div role="status">{answer}</div>
      </div>
    </Dialog>
  );
}
