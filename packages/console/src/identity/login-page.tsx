/** Sign-in page (spec §2, §4, §5). Without the component library the page loads a third of the size. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { TOAST_MS } from "@red/contract/platform/limits";
import { addTexts, chooseLanguage, useLanguage } from "#lib/language.ts";
import { onNotice } from "#lib/notices.ts";
import brand from "#ui/brand.svg";
import { CodeDialog } from "./login-code-dialog.tsx";
import { LOGIN_TEXTS } from "./login-texts.ts";
import { PasswordField, TextField } from "./login-fields.tsx";
import { checkCredentials, useLogin } from "./use-login.ts";
import type { Credentials, LoginFaults } from "./use-login.ts";
import "./login.css";

addTexts("login", LOGIN_TEXTS);

/** Returns the newest error, for five seconds (spec §8), and a function that removes it. */
function useErrorToast(): [string | null, () => void] {
  const [error, setError] = useState<{ text: string } | null>(null);
  useEffect(() => onNotice("error", (text) => setError({ text })), []);
  useEffect(() => {
    if (error === null) {
      return;
    }
    const timer = setTimeout(() => setError(null), TOAST_MS);
    return () => clearTimeout(timer);
  }, [error]);
  return [error?.text ?? null, () => setError(null)];
}

export function LoginPage() {
  const { t } = useTranslation(["login", "app"]);
  const language = useLanguage();
  const [error, clearError] = useErrorToast();
  const [entered, setEntered] = useState<Credentials>({ username: "", password: "" });
  const [faults, setFaults] = useState<LoginFaults>({});
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const { busy, step, codeMessage, logIn, cancelCode } = useLogin();

  useEffect(() => username.current?.focus(), []);

  const submit = () => {
    const missing = checkCredentials(entered);
    setFaults(missing);
    if (missing.username !== undefined) {
      username.current?.focus();
    } else if (missing.password !== undefined) {
      password.current?.focus();
    } else {
      clearError();
      void logIn(entered);
    }
  };

  const change = (field: keyof Credentials) => (value: string) => {
    setEntered((old) => ({ ...old, [field]: value }));
    setFaults((old) => ({ ...old, [field]: undefined }));
  };

  const other = language === "zh" ? "en" : "zh";
  return (
    <main className="l-page">
      {error !== null && step === null && (
        <p className="l-toast" role="alert">
          {error}
        </p>
      )}
      <form
        className="l-card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <img src={brand} alt="" width={44} height={44} />
        <h1 lang="en">{t("heading")}</h1>
        <TextField
          ref={username}
          name="username"
          label={t("username")}
          autoComplete="username"
          value={entered.username}
          fault={faults.username}
          onChange={change("username")}
        />
        <PasswordField
          ref={password}
          value={entered.password}
          fault={faults.password}
          onChange={change("password")}
        />
        <button type="submit" className="l-button l-primary" disabled={busy}>
          {t(busy ? "logging_in" : "log_in")}
        </button>
      </form>
      <button
        type="button"
        className="l-link"
        lang={other === "zh" ? "zh-CN" : "en"}
        onClick={() => void chooseLanguage(other)}
      >
        {t("app:other_language")}
      </button>
      {step !== null && (
        <CodeDialog
          step={step}
          busy={busy}
          message={codeMessage ?? error}
          onCode={(code) => {
            clearError();
            return logIn(entered, code);
          }}
          onCancel={cancelCode}
        />
      )}
    </main>
  );
}
