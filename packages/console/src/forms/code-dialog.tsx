/** Asks a signed-in operator for a one-time code, so that nothing happens by mistake (behaviour §9). */
import { Button, Input } from "antd";
import type { InputRef } from "antd";
import type { ReactNode, RefObject } from "react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { LOGIN_DIALOG_WIDTH } from "@red/contract/limits";
import { ApiError, isWaiting } from "#lib/api.ts";
import { useOneTimeCode } from "#lib/one-time-code.ts";
import { Dialog } from "#ui/dialog.tsx";
import { SavingFooter, useSaving } from "./saving.tsx";
import "./code-dialog.css";

interface CodeDialogProps {
  title: string;
  okText: string;
  /** Resolves to what is wrong with the code; null when it is right. */
  onCode: (code: string) => Promise<string | null>;
  onClose: () => void;
  danger?: boolean;
  zIndex?: number;
  /** The children say what keeps from it: no code is taken. */
  disabled?: boolean;
  /** A recovery code is none of an authenticator. */
  noRecovery?: boolean;
  /** Of the children: the field that has the focus first; no code is sent or cleared while `check` finds faults, or is told. */
  first?: { input?: RefObject<InputRef | null>; check?: (told?: ApiError["faults"]) => boolean };
  /** Given the function that a key in one of its fields sends with. */
  children: ReactNode | ((save: () => void) => ReactNode);
}

export function CodeDialog(props: CodeDialogProps) {
  const {
    title,
    okText,
    onCode,
    onClose,
    danger = false,
    disabled = false,
    first,
    children,
  } = props;
  const { t } = useTranslation(["stop", "fields"]);
  const id = useId();
  const { busy, run, close, leave } = useSaving(onClose);
  const [fault, setFault] = useState<string | null>(null);

  const send = async (digits: string) => {
    if (first?.check?.() === false) {
      return true;
    }
    try {
      const wrong = await run(() => onCode(digits));
      setFault(wrong);
      if (wrong === null) {
        close();
      }
      return wrong === null;
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      if (first?.check?.(error.faults) === false) {
        return true;
      }
      // What else it takes was not given: the code stays.
      if (error.key === "proof_needed") {
        return true;
      }
      // A refused password is said at its own field.
      if (isWaiting(error) || error.key?.startsWith("password_") === true) {
        close();
        return true;
      }
      setFault(error.message);
      return false;
    }
  };
  const { input, code, isRecovery, turn, enter, submit } = useOneTimeCode<InputRef>(busy, send);
  const save = () => void (first?.check?.() !== false && submit());

  return (
    <Dialog
      open
      title={title}
      width={LOGIN_DIALOG_WIDTH}
      {...(props.zIndex !== undefined && { zIndex: props.zIndex })}
      centered
      onCancel={() => void leave()}
      mask={{ closable: false }}
      afterOpenChange={(open) => open && (first?.input ?? input).current?.focus()}
      footer={
        <SavingFooter {...{ busy, okText, danger, disabled }} onSave={save} onLeave={leave} />
      }
    >
      {typeof children === "function" ? children(save) : children}
      <div className="d-code">
        <div className="d-code-head">
          <label htmlFor={id}>{t(isRecovery ? "recovery_code" : "fields:code")}</label>
          {props.noRecovery !== true && (
            <Button type="link" size="small" disabled={disabled} onClick={turn}>
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
          disabled={disabled}
          {...(fault !== null && { status: "error" as const })}
          aria-invalid={fault !== null}
          aria-describedby={`${id}-message`}
          onChange={(event) => enter(event.target.value)}
          onPressEnter={save}
        />
        <p
          id={`${id}-message`}
          className={fault === null ? "d-code-hint" : "d-code-fault"}
          role={fault === null ? undefined : "alert"}
        >
          {fault ?? t(isRecovery ? "recovery_hint" : "code_hint")}
        </p>
      </div>
    </Dialog>
  );
}
