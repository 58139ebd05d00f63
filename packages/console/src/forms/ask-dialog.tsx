import { Form } from "antd";
import type { FormInstance } from "antd";
import { useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "#ui/busy-button.tsx";
import { useFirstField } from "#ui/first-field.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { dropDraft } from "./draft.ts";
import type { Fields } from "./draft.ts";
import { LargeDialog } from "./large-dialog.tsx";
import { DraftKeeper, useDraft } from "./use-draft.tsx";
import "./ask-dialog.css";

interface AskDialogProps<V extends object, A> {
  title: string;
  form: FormInstance<V>;
  /** Must be the same object at every call. */
  initial: Fields;
  /** Key of the draft: the question and its subject. */
  draftKey: string;
  /** Resolves to null without an answer; the shared handling shows a failure. */
  onAsk: (values: V) => Promise<A | null>;
  onEntry?: (changed: Partial<V>) => void;
  onClose: () => void;
  children: ReactNode;
  showAnswer: (answer: A | null) => ReactNode;
}

/** The answer belongs to the values that were sent: editing a field removes it, and a late answer is dropped. */
export function AskDialog<V extends object, A>(props: AskDialogProps<V, A>) {
  const { title, form, initial, draftKey, onAsk, onEntry, onClose, children } = props;
  const { t } = useTranslation("ui");
  const [busy, setBusy] = useState(false);
  const { fields, focus } = useFirstField(true, draftKey);
  const draft = useDraft(form, initial, draftKey);
  const [answer, setAnswer] = useState<A | null>(null);
  const questionId = useRef(0);
  const ask = async (values: V) => {
    questionId.current += 1;
    const id = questionId.current;
    setBusy(true);
    const result = await onAsk(values);
    if (questionId.current === id) {
      setBusy(false);
      setAnswer(result);
    }
  };
  const onChange = (changed: Partial<V>) => {
    questionId.current += 1;
    setBusy(false);
    setAnswer(null);
    onEntry?.(changed);
  };
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
    </LargeDialog>
  );
}
