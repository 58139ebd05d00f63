/**
 * Typing into the library's pickers. They take nothing but a complete text in their own format, and
 * forget any other when they are left. So what is typed is kept here: it is read, and completed, when its
 * field is left or Enter is pressed, and stays as it is when it cannot be read.
 */
import { createContext, use, useLayoutEffect, useRef, useState } from "react";
import type { ComponentProps } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Dayjs } from "./wall-time.ts";
import { momentOf, readTime, unreadOf, unreadTime } from "./typed-time.ts";
import type { TypedTime } from "./typed-time.ts";

/** A picker has one field, or two of a start and an end. */
type End = 0 | 1;

interface Typing {
  /** What an end shows instead of its moment. */
  readonly shown: (end: End) => string | undefined;
  readonly type: (end: End, text: string) => void;
  /** Takes what was typed into an end for its value. */
  readonly settle: (end: End) => void;
}

const TypingContext = createContext<Typing | null>(null);

export interface TypingInto {
  /** Of the start and the end, or the only one. */
  readonly values: readonly TypedTime[];
  /** How the picker writes its moments. */
  readonly format: string;
  /** Times that complete a day alone; none where days are wanted. */
  readonly fills: readonly string[];
  readonly onChange: (end: End, value: Dayjs | null) => void;
}

export function useTyping({ values, format, fills, onChange }: TypingInto) {
  const [texts, setTexts] = useState<readonly (string | null)[]>([null, null]);
  const [open, setOpen] = useState(false);
  const keep = (end: End, text: string | null) =>
    setTexts((old) => old.map((each, at) => (at === end ? text : each)));
  const take = (end: End, read: Dayjs | null) => {
    const value = values[end];
    const same = unreadOf(value) === unreadOf(read) && !momentOf(value) === !momentOf(read);
    // What is the same already is no change, of which another field may make something.
    if (!same || momentOf(value)?.isSame(momentOf(read)) === false) {
      onChange(end, read);
    }
  };
  const typing: Typing = {
    shown: (end) => texts[end] ?? unreadOf(values[end]),
    type: (end, text) => {
      keep(end, text);
      setOpen(true);
      const read = readTime(text, fills[end]);
      // A shorter text may be on its way to a longer one.
      if (read?.format(format) === text) {
        take(end, read);
      }
    },
    settle: (end) => {
      const text = texts[end]?.trim();
      if (text !== undefined) {
        keep(end, null);
        take(end, text === "" ? null : (readTime(text, fills[end]) ?? unreadTime(text)));
      }
    },
  };
  /* The list opens with the first key, which the library no longer hears of. */
  return [typing, { open, setOpen }] as const;
}

type InputProps = ComponentProps<"input"> & { "date-range"?: "start" | "end" };

/** Stands for the input of a picker inside a `TypingInto`. */
function TypedInput(props: InputProps) {
  const { t } = useTranslation("ui");
  const typing = use(TypingContext);
  const range = props["date-range"];
  const end = range === "end" ? 1 : 0;
  // The picker must hear of a key with what was settled before it.
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const label = props["aria-label"];
  return (
    <input
      {...props}
      {...(range !== undefined && label !== undefined && { "aria-label": `${label} ${t(range)}` })}
      value={typing?.shown(end) ?? props.value}
      onChange={(event) => typing?.type(end, event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === "Tab") {
          flushSync(() => typing?.settle(end));
        }
        latest.current.onKeyDown?.(event);
      }}
      onBlur={(event) => {
        typing?.settle(end);
        props.onBlur?.(event);
      }}
    />
  );
}

/* One object, or the pickers would render again. */
export const TYPED_INPUT = { input: TypedInput };

export const TypingProvider = TypingContext.Provider;
