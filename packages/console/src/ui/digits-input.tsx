/**
 * A field for whole numbers. Nothing but digits stays in it, and no two digits meet that something else
 * stood between: 1.5 becomes 1, never 15, and the field says so.
 */
import { Input } from "antd";
import type { InputProps } from "antd";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";

/** `1,000`, as tables write it and as it is copied from there. */
const GROUPED = /^\d{1,3}(?:[,，]\d{3})+$/;

/** Half-width; full-width digits, as Chinese input methods give, are taken as digits. */
function halfWidth(text: string): string {
  return text.replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
}

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
  /** The first character that could not be taken; null when all was. */
  readonly refused: string | null;
}

/**
 * What a field that holds `before` takes of `text`. Of what was added the digits up to the first other
 * character stay, at the end of the field; in the midst of it nothing is added then.
 */
export function takenDigits(before: string, text: string): TakenDigits {
  const typed = halfWidth(text);
  const { start, end } = sameAround(before, typed);
  const added = typed.slice(start, typed.length - end).trim();
  const digits = GROUPED.test(added) ? added.replaceAll(/\D/g, "") : added;
  const kept = /^\d*/.exec(digits)?.[0] ?? "";
  const [refused = null] = digits.slice(kept.length);
  if (refused !== null && end > 0) {
    return { digits: before, refused };
  }
  return { digits: `${typed.slice(0, start)}${kept}${typed.slice(typed.length - end)}`, refused };
}

/** Was something put in, and nothing taken away? */
function isAddition(before: string, text: string): boolean {
  const { start, end } = sameAround(before, halfWidth(text));
  return text.length > before.length && start + end === before.length;
}

/** With these the place is left at which something could not be taken. */
const MOVES: ReadonlySet<string> = new Set(["ArrowLeft", "ArrowRight", "Home", "End"]);

interface Refusal {
  readonly character: string;
  /** What the field held then: with another value it is over. */
  readonly value: string;
}

function useDigits(value: string, onChange: ((digits: string) => void) | undefined) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  // What is typed on behind a refused character belongs to it: the 5 of 1.5 is not taken either.
  const following = useRef(false);
  const take = (text: string) => {
    if (following.current && isAddition(value, text)) {
      return;
    }
    const { digits, refused } = takenDigits(value, text);
    following.current = refused !== null;
    setRefusal(refused === null ? null : { character: refused, value: digits });
    if (digits !== value) {
      onChange?.(digits);
    }
  };
  const moveOn = () => {
    following.current = false;
  };
  return { take, moveOn, refused: refusal?.value === value ? refusal.character : null };
}

interface DigitsInputProps extends Omit<InputProps, "value" | "onChange" | "type"> {
  value?: string;
  onChange?: (digits: string) => void;
}

export function DigitsInput({ value = "", onChange, ...rest }: DigitsInputProps) {
  const { t } = useTranslation("ui");
  const composing = useRef(false);
  // While an input method composes, its own text must stay untouched.
  const [raw, setRaw] = useState<string | null>(null);
  const { take, moveOn, refused } = useDigits(value, onChange);
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
        {...(refused !== null && { status: "warning" })}
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
        {refused !== null && t("digits_refused", { character: refused })}
      </span>
    </>
  );
}
