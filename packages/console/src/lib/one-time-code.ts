/** The six digits of a one-time code: sent as soon as they are there, and emptied when they are refused. */
import { useRef, useState } from "react";
import type { RefObject } from "react";

const CODE_LENGTH = 6;

interface OneTimeCode<I> {
  /** Of the field. */
  readonly input: RefObject<I | null>;
  readonly code: string;
  /** Takes what the field holds now; "123 456", as authenticators show it, may be pasted. */
  readonly enter: (text: string) => void;
  readonly submit: () => void;
}

/** `send` resolves to whether the code was accepted; nothing is sent while `busy`. */
export function useOneTimeCode<I extends { focus: () => void }>(
  busy: boolean,
  send: (code: string) => Promise<boolean>,
): OneTimeCode<I> {
  const input = useRef<I>(null);
  const [code, setCode] = useState("");
  const sendOnce = async (digits: string) => {
    if (!(await send(digits))) {
      // A refused code is of no more use: the field is ready for the next one.
      setCode("");
      input.current?.focus();
    }
  };
  return {
    input,
    code,
    enter: (text) => {
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
