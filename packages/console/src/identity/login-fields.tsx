import { useState } from "react";
import type { KeyboardEvent, ReactNode, Ref } from "react";
import { useTranslation } from "react-i18next";

interface FieldProps {
  ref: Ref<HTMLInputElement>;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

interface TextFieldProps extends FieldProps {
  name: string;
  label: string;
  autoComplete: string;
  type?: "text" | "password";
  end?: ReactNode;
  hint?: string | null;
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export function TextField({ ref, ...props }: TextFieldProps) {
  const { name, fault, hint = null } = props;
  return (
    <div className="l-field">
      <label htmlFor={name}>{props.label}</label>
      <div className={fault === undefined ? "l-input" : "l-input l-invalid"}>
        <input
          ref={ref}
          id={name}
          name={name}
          type={props.type ?? "text"}
          value={props.value}
          autoComplete={props.autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          required
          aria-invalid={fault !== undefined}
          aria-describedby={`${name}-message`}
          onChange={(event) => props.onChange(event.target.value)}
          onKeyDown={props.onKey}
          onKeyUp={props.onKey}
        />
        {props.end}
      </div>
      <p
        id={`${name}-message`}
        className={fault === undefined ? "l-hint" : "l-fault"}
        role="status"
      >
        {fault ?? hint}
      </p>
    </div>
  );
}

export function PasswordField({ ref, ...props }: FieldProps) {
  const { t } = useTranslation("login");
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  return (
    <TextField
      {...props}
      ref={ref}
      name="password"
      label={t("password")}
      type={shown ? "text" : "password"}
      autoComplete="current-password"
      hint={capsLock ? t("caps_lock") : null}
      // Not by letter case: Shift gives capitals too.
      onKey={(event) => setCapsLock(event.getModifierState("CapsLock"))}
      end={
        <button
          type="button"
          className="l-eye"
          aria-pressed={shown}
          aria-label={t(shown ? "hide_password" : "show_password")}
          onClick={() => setShown(!shown)}
        >
          <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
            <path d="M2 12s3.600-7 10-7 10 7 10 7-3.600 7-10 7S2 12 2 12z" />
            <circle cx="12" cy="12" r="3" />
            {!shown && <path d="M4 20 20 4" />}
          </svg>
        </button>
      }
    />
  );
}
