/** Asks for the one-time code. For an account without an authenticator the dialog also shows a QR code (spec §2). */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { LOGIN_DIALOG_WIDTH } from "@red/contract/platform/limits";
import { useOneTimeCode } from "#lib/one-time-code.ts";
import { TextField } from "./login-fields.tsx";
import type { CodeStep } from "./use-login.ts";

interface CodeDialogProps {
  step: CodeStep;
  busy: boolean;
  message: string | null;
  /** Resolves to true if the code was accepted. */
  onCode: (code: string) => Promise<boolean>;
  onCancel: () => void;
}

export function CodeDialog({ step, busy, message, onCode, onCancel }: CodeDialogProps) {
  const { t } = useTranslation("login");
  const dialog = useRef<HTMLDialogElement>(null);
  const { input, code, isRecovery, turn, enter, submit } = useOneTimeCode<HTMLInputElement>(
    busy,
    onCode,
  );

  useEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
  }, [input]);

  return (
    <dialog
      ref={dialog}
      className="l-dialog"
      style={{ width: LOGIN_DIALOG_WIDTH }}
      aria-labelledby="code-title"
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id="code-title">{t(step.kind === "bind" ? "bind_title" : "code_title")}</h2>
        {step.kind === "bind" && <Binding {...step} />}
        <TextField
          ref={input}
          name="code"
          label={t(isRecovery ? "recovery_label" : "code_label")}
          className="l-code"
          inputMode={isRecovery ? "text" : "numeric"}
          autoComplete={isRecovery ? "off" : "one-time-code"}
          value={code}
          fault={message}
          hint={t(isRecovery ? "recovery_hint" : "code_hint")}
          messageRole={message === null ? null : "alert"}
          readOnly={busy}
          onChange={enter}
          below={
            step.kind === "code" && (
              <button type="button" className="l-link" onClick={turn}>
                {t(isRecovery ? "use_authenticator" : "use_recovery")}
              </button>
            )
          }
        />
        <div className="l-buttons">
          <button type="button" className="l-button" onClick={onCancel}>
            {t("cancel")}
          </button>
          <button type="submit" className="l-button l-primary" disabled={busy}>
            {t(step.kind === "bind" ? "bind" : "confirm")}
          </button>
        </div>
      </form>
    </dialog>
  );
}

function Binding({ qr_code, secret }: Extract<CodeStep, { kind: "bind" }>) {
  const { t } = useTranslation("login");
  const [copied, setCopied] = useState(false);
  const copy = () => {
    // If the browser denies clipboard access, the operator can still select the secret.
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <div className="l-binding">
      <p>{t("bind_scan")}</p>
      <img src={qr_code} alt={t("bind_qr")} width={176} height={176} />
      <p className="l-hint">{t("bind_manual")}</p>
      <p className="l-secret">
        <code>{secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
        <button type="button" className="l-link" onClick={copy}>
          {t(copied ? "copied" : "copy_secret")}
        </button>
      </p>
    </div>
  );
}
