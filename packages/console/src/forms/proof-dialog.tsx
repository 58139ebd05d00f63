/** Asks a signed-in operator for a reason, a one-time code or both before a change (behaviour §9, §16). */
import { Button, Form, Input } from "antd";
import type { InputRef } from "antd";
import type { ReactNode } from "react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Needs } from "@red/contract/approvals/guard";
import { LOGIN_DIALOG_WIDTH } from "@red/contract/platform/limits";
import { useOneTimeCode } from "#lib/one-time-code.ts";
import type { Proof } from "#lib/proof.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ReasonInput } from "./reason-input.tsx";
import { SavingFooter, useSaving } from "./saving.tsx";
import { starred, TextItem } from "./text-item.tsx";
import "./proof-dialog.css";

/** z-index above nested dialogs, but below the dialog that asks whether to discard input. */
const LAYER = 1_500;

interface ProofDialogProps {
  title: string;
  okText: string;
  danger?: boolean;
  needs: Pick<Needs, "code" | "recovery" | "reason">;
  /** Sends the change. Resolves to null when the change is made, else to the error text of the code. */
  give: (proof: Proof) => Promise<string | null>;
  onClose: () => void;
  children: ReactNode;
}

export function ProofDialog(props: ProofDialogProps) {
  const { title, okText, danger = false, needs, give, onClose, children } = props;
  const { t } = useTranslation(["stop", "fields", "contract"]);
  const id = useId();
  const { busy, run, close, mayLeave, mayDiscard } = useSaving(onClose);
  const [fault, setFault] = useState<string | null>(null);
  const [form] = Form.useForm<{ reason?: string }>();
  const line = useRef<InputRef>(null);

  const typed = () =>
    needs.reason ? ((form.getFieldValue("reason") as string | undefined) ?? "").trim() : "";
  /** Checks the reason before sending. If the reason is missing, the code stays in its field. */
  const isReady = () => {
    if (needs.reason && typed() === "") {
      void form.validateFields().catch(() => line.current?.focus());
      return false;
    }
    return !busy;
  };
  const send = async (digits: string) => {
    if (!isReady()) {
      return true;
    }
    const reason = needs.reason && { reason: typed() };
    const wrong = await run(() => give({ ...(needs.code && { code: digits }), ...reason }));
    setFault(wrong);
    return wrong === null;
  };
  const { input, code, isRecovery, turn, enter, submit } = useOneTimeCode<InputRef>(busy, send);
  const save = () => {
    if (!needs.code) {
      void send("");
    } else if (isReady()) {
      submit();
    }
  };
  const leave = async () => {
    if ((busy || typed() === "" || (await mayDiscard())) && (await mayLeave())) {
      close();
    }
  };

  return (
    <Dialog
      open
      title={title}
      width={LOGIN_DIALOG_WIDTH}
      zIndex={LAYER}
      centered
      onCancel={() => void leave()}
      mask={{ closable: false }}
      afterOpenChange={(open) => open && (needs.reason ? line : input).current?.focus()}
      footer={<SavingFooter {...{ busy, okText, danger }} onSave={save} onLeave={leave} />}
    >
      {children}
      {needs.reason && (
        <Form form={form} name="proof" layout="vertical" requiredMark={starred}>
          <TextItem name="reason" label={t("fields:reason")} missing={t("contract:enter_reason")}>
            <ReasonInput ref={line} onPressEnter={save} />
          </TextItem>
        </Form>
      )}
      {needs.code && (
        <div className="d-code">
          <div className="d-code-head">
            <label htmlFor={id}>{t(isRecovery ? "recovery_code" : "fields:code")}</label>
            {needs.recovery && (
              <Button type="link" size="small" onClick={turn}>
                {t(isRecovery ? "use_authenticator" : "use_recovery")}
              </Button>
            )}
          </div>
          <Input
            ref={input}
            id={id}
            size="large"
            inputMode={isRecovery ? "text" : "numeric"}
            autoComplete={isRecovery ? "off" : "one-time-code"}
            value={code}
            readOnly={busy}
            {...(fault !== null && { status: "error" as const })}
            aria-invalid={fault !== null}
            aria-describedby={`${id}-message`}
            onChange={(event) => enter(event.target.value)}
            onPressEnter={save}
          />
          <p
            id={`${id}-message`}
            className={fault === null ? "k-note" : "k-note k-negative"}
            role={fault === null ? undefined : "alert"}
          >
            {fault ?? t(isRecovery ? "recovery_hint" : "code_hint")}
          </p>
        </div>
      )}
    </Dialog>
  );
}
