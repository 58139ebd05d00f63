/** A dialog that asks the server one question and shows the answer under the form. */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useRef, useState } from "react";
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

interface AskDialogProps<V extends object, A> {
  title: string;
  form: FormInstance<V>;
  /** What the fields hold at first; must be the same object at every call. */
  initial: Fields;
  /** Names the draft: the same question about the same thing. */
  draftKey: string;
  /** Resolves to null where there is no answer; the shared handling tells of a failure. */
  onAsk: (values: V) => Promise<A | null>;
  onEntry?: (changed: Partial<V>) => void;
  onClose: () => void;
  children: ReactNode;
  /** Null: nothing is answered. */
  showAnswer: (answer: A | null) => ReactNode;
}

/** An answer belongs to what was asked: when the entry is changed it is removed, and one that comes later is not shown. */
export function AskDialog<V extends object, A>(props: AskDialogProps<V, A>) {
  const { title, form, initial, draftKey, onAsk, onEntry, onClose, children } = props;
  const { t } = useTranslation("ui");
  const [busy, setBusy] = useState(false);
  const isMobile = useIsMobile();
  const { fields, focus } = useFirstField(true, draftKey);
  const draft = useDraft(form, initial, draftKey);
  const [answer, setAnswer] = useState<A | null>(null);
  const question = useRef(0);
  const ask = async (values: V) => {
    question.current += 1;
    const asked = question.current;
    setBusy(true);
    const found = await onAsk(values);
    if (question.current === asked) {
      setBusy(false);
      setAnswer(found);
    }
  };
  const onChange = (changed: Partial<V>) => {
    question.current += 1;
    setBusy(false);
    setAnswer(null);
    onEntry?.(changed);
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
          onValuesChange={onChange}
          onFinish={(values) => void ask(values)}
        >
          <DraftKeeper form={form} initial={initial} draftKey={draftKey} />
          {children}
          <BusyButton type="primary" htmlType="submit" busy={busy}>
            {t("query")}
          </BusyButton>
        </Form>
        <div role="status">{props.showAnswer(answer)}</div>
      </div>
    </Dialog>
  );
}
