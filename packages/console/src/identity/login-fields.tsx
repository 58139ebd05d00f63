import { useState } from "react";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface TextFieldProps extends Omit<ComponentProps<"input">, "onChange"> {
  label: string;
  /** Error text that is shown instead of the hint. */
  fault: string | null | undefined;
  hint?: string | null;
  messageRole?: "status" | "alert" | null;
  onChange: (value: string) => void;
  /** Button inside the field. */
  end?: ReactNode;
  /** Button below the field. */
  below?: ReactNode;
}

/** An input with its label. The error or the hint stands below the input. */
export function TextField(props: TextFieldProps) {
  const {
    label,
    fault = null,
    hint,
    messageRole = "status",
    onChange,
    end,
    below,
    ...input
  } = props;
  const { name } = input;
  return (
    <div className="l-field">
      <label htmlFor={name}>{label}</label>
      <div className={fault === null ? "l-input" : "l-input l-invalid"}>
        <input
          autoCapitalize="none"
          spellCheck={false}
          required
          {...input}
          id={name}
          aria-invalid={fault !== null}
          aria-describedby={`${name}-message`}
          onChange={(event) => onChange(event.target.value)}
        />
        {end}
      </div>
      <p
        id={`${name}-message`}
        className={fault === null ? "l-hint" : "l-fault"}
        {...(messageRole !== null && { role: messageRole })}
      >
        {fault ?? hint}
      </p>
      {below}
    </div>
  );
}

export function PasswordField(props: Omit<TextFieldProps, "label">) {
  const { t } = useTranslation("login");
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  // Read the state of the Caps Lock key, not the case of the letter, because Shift also gives capitals.
  const onKey = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <TextField
      {...props}
      name="password"
      label={t("password")}
      type={shown ? "text" : "password"}
      autoComplete="current-password"
      hint={capsLock ? t("caps_lock") : null}
      onKeyDown={onKey}
      onKeyUp={onKey}
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
