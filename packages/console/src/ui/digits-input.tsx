/**
 * A field for whole numbers. Of what is put in, spaces, full-width digits and the commas of thousands are taken
 * for what they mean; anything else leaves the field as it was, and the field says what it takes.
 */
import { Input } from "antd";
import type { InputProps } from "antd";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { plainNumber } from "./plain-number.ts";

/** Where `text` differs from what stood there: so many characters are the same before and behind. */
function sameAround(before: string, text: string): { start: number; end: number } {
  const most = Math.min(before.length, text.length);
  let start = 0;
  while (start < most && before[start] === text[start]) {
    start += 1;
  }
  let end = 0;
  while (end < most - start && before.at(-1 - end) === text.at(-1 - end)) {
    end += 1;
  }
  return { start, end };
}

export interface TakenDigits {
  readonly digits: string;
  /** Something was put in that could not be taken. */
  readonly refused: boolean;
}

/** What a field that holds `before` takes of `text`, of at most `most` digits: all or nothing. */
export function takenDigits(before: string, text: string, most: number): TakenDigits {
  const { start, end } = sameAround(before, text);
  const added = plainNumber(text.slice(start, text.length - end));
  const digits = `${text.slice(0, start)}${added}${text.slice(text.length - end)}`;
  // More than the field holds would be cut to another number.
  return /^\d*$/.test(added) && digits.length <= most
    ? { digits, refused: false }
    : { digits: before, refused: true };
}

/** Was something put in, and nothing taken away? */
function isAddition(before: string, text: string): boolean {
  const { start, end } = sameAround(before, text);
  return text.length > before.length && start + end === before.length;
}

/** With these the place is left at which something could not be taken. */
const MOVES: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

function useDigits(value: string, onChange: ((digits: string) => void) | undefined, most: number) {
  // What the field held then: with another value the refusal is over.
  const [refusedAt, setRefusedAt] = useState<string | null>(null);
  // What is typed on behind a refused character belongs to it: the 5 of 1.5 is not taken either.
  const following = useRef(false);
  const take = (text: string) => {
    if (following.current && isAddition(value, text)) {
      return;
    }
    const { digits, refused } = takenDigits(value, text, most);
    following.current = refused;
    setRefusedAt(refused ? value : null);
    if (digits !== value) {
      onChange?.(digits);
    }
  };
  const moveOn = () => {
    following.current = false;
  };
  return { take, moveOn, refused: refusedAt === value };
}

interface DigitsInputProps extends Omit<InputProps, "value" | "onChange" | "type" | "maxLength"> {
  /** So many digits at most. */
  maxLength: number;
  value?: string;
  onChange?: (digits: string) => void;
}

export function DigitsInput({ value = "", onChange, maxLength, ...rest }: DigitsInputProps) {
  const { t } = useTranslation("ui");
  const composing = useRef(false);
  // While an input method composes, its own text must stay untouched.
  const [raw, setRaw] = useState<string | null>(null);
  const { take, moveOn, refused } = useDigits(value, onChange, maxLength);
  const settle = (text: string) => {
    setRaw(null);
    take(text);
  };
  return (
    <>
      <Input
        inputMode="numeric"
        autoComplete="off"
        {...rest}
        {...(refused && { status: "warning" })}
        value={raw ?? value}
        onBlur={moveOn}
        onMouseDown={moveOn}
        onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
          // What is selected is to be replaced.
          if (selectionStart !== selectionEnd) {
            moveOn();
          }
        }}
        onKeyDown={({ key }: KeyboardEvent) => {
          if (MOVES.has(key)) {
            moveOn();
          }
        }}
        onCompositionStart={() => {
          composing.current = true;
        }}
        onCompositionEnd={(event) => {
          composing.current = false;
          settle(event.currentTarget.value);
        }}
        onChange={(event) => {
          if (composing.current) {
            setRaw(event.target.value);
          } else {
            settle(event.target.value);
          }
        }}
      />
      <span aria-live="polite" className="k-digits-hint">
        {refused && t("digits_refused", { most: maxLength })}
      </span>
    </>
  );
}
