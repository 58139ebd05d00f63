/**
 * A field for whole numbers. Of what is put in, spaces, full-width digits and the commas of thousands are taken
 * for what they mean; anything else that is put in at once leaves the field as it was, and the field says what it takes.
 */
import { Input } from "antd";
import type { InputProps } from "antd";
import { useRef, useState } from "react";
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

function useDigits(value: string, onChange: ((digits: string) => void) | undefined, most: number) {
  // What the field held when it was last said.
  const [refusedAt, setRefusedAt] = useState<string | null>(null);
  const isRefused = refusedAt === value;
  const take = (text: string) => {
    const { digits, refused } = takenDigits(value, text, most);
    // Said on while digits are typed: who types 1.5 must see that 15 is not what was meant.
    const stays = isRefused && digits.length === value.length + 1;
    setRefusedAt(refused || stays ? digits : null);
    if (digits !== value) {
      onChange?.(digits);
    }
  };
  return { take, refused: isRefused };
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
  const { take, refused } = useDigits(value, onChange, maxLength);
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
