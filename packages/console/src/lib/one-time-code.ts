/**
 * Handles the input of a one-time code (six digits) or a recovery code (25 letters). The code is sent when it is
 * complete, and cleared when the server rejects it.
 */
import { useRef, useState } from "react";

const DIGITS = 6;
const LETTERS = 25;
/** Length of recovery codes from earlier versions. These codes are sent only by the button. */
const LETTERS_BEFORE = 12;

const lengthOf = (code: string) => code.replaceAll("-", "").length;

/** Keeps only the digits, or only the letters of a recovery code with a dash between its groups. */
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

/** `send` resolves to true if the code was accepted. Nothing is sent while `busy`. */
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
      // A rejected code cannot be used again, so the field is cleared for the next code.
      setCode("");
      input.current?.focus();
    }
  };
  return {
    input,
    code,
    /** True while the operator types a recovery code instead of a code from the authenticator. */
    isRecovery,
    /** Switches between one-time code and recovery code. */
    turn: () => {
      setCode("");
      setRecovery(!isRecovery);
      input.current?.focus();
    },
    /** Takes the text of the field. A pasted "123 456" is accepted. */
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
