/** The field of a one-time code (six digits) or a recovery code (25 letters): sent when complete, cleared when refused. */
import { useRef, useState } from "react";

const DIGITS = 6;
const LETTERS = 25;
/** Length of recovery codes of earlier versions: only the button sends them. */
const LETTERS_BEFORE = 12;

const lengthOf = (code: string) => code.replaceAll("-", "").length;

/** Digits, or the letters of a recovery code with a dash between its groups. */
function cleaned(text: string, isRecovery: boolean): string {
  const plain = text.normalize("NFKC");
  if (!isRecovery) {
    return plain.replaceAll(/\D/g, "").slice(0, DIGITS);
  }
  const letters = plain
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .slice(0, LETTERS);
  return letters.replaceAll(/(.{5})(?=.)/g, "$1-");
}

/** `send` resolves to whether the code was accepted; nothing is sent while `busy`. */
export function useOneTimeCode<I extends { focus: () => void }>(
  busy: boolean,
  send: (code: string) => Promise<boolean>,
) {
  const input = useRef<I>(null);
  const [code, setCode] = useState("");
  const [isRecovery, setRecovery] = useState(false);
  const whole = isRecovery ? LETTERS : DIGITS;
  const sendOnce = async (digits: string) => {
    if (!(await send(digits))) {
      // A refused code is useless: clear the field for the next one.
      setCode("");
      input.current?.focus();
    }
  };
  return {
    input,
    code,
    /** The operator types a recovery code instead of the authenticator's. */
    isRecovery,
    /** Switches between the two kinds. */
    turn: () => {
      setCode("");
      setRecovery(!isRecovery);
      input.current?.focus();
    },
    /** Takes the field's text; a pasted "123 456" works. */
    enter: (text: string) => {
      const typed = cleaned(text, isRecovery);
      setCode(typed);
      if (lengthOf(typed) === whole && typed !== code && !busy) {
        void sendOnce(typed);
      }
    },
    submit: () => {
      const length = lengthOf(code);
      if ((length === whole || (isRecovery && length === LETTERS_BEFORE)) && !busy) {
        void sendOnce(code);
      } else {
        input.current?.focus();
      }
    },
  };
}
