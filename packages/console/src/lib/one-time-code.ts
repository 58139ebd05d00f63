/** A one-time code: sent when its six digits are complete, cleared when refused. */
import { useRef, useState } from "react";

const CODE_LENGTH = 6;

/** `send` resolves to whether the code was accepted; nothing is sent while `busy`. */
export function useOneTimeCode<I extends { focus: () => void }>(
  busy: boolean,
  send: (code: string) => Promise<boolean>,
) {
  const input = useRef<I>(null);
  const [code, setCode] = useState("");
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
    /** Handles the field's text; a pasted "123 456" is fine. */
    enter: (text: string) => {
      const digits = text.normalize("NFKC").replaceAll(/\D/g, "").slice(0, CODE_LENGTH);
      setCode(digits);
      if (digits.length === CODE_LENGTH && digits !== code && !busy) {
        void sendOnce(digits);
      }
    },
    submit: () => {
      if (code.length === CODE_LENGTH && !busy) {
        void sendOnce(code);
      } else {
        input.current?.focus();
      }
    },
  };
}
