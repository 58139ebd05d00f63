/**
 * Handles typing in the pickers of the component library. The pickers accept only a complete text in their own format,
 * and drop any other text on blur. Here the text is kept, then read and completed on blur or Enter. An unreadable text
 * stays in the field.
 */
import { createContext, use, useLayoutEffect, useRef, useState } from "react";
import type { ComponentProps } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Dayjs } from "./wall-time.ts";
import { momentOf, readTime, unreadOf, unreadTime } from "./typed-time.ts";
import type { TypedTime } from "./typed-time.ts";

/** 0 is the only field or the start of a range, 1 is the end of a range. */
type End = 0 | 1;

interface Typing {
  readonly shown: (end: End) => string | undefined;
  readonly type: (end: End, text: string) => void;
  readonly settle: (end: End) => void;
}

const TypingContext = createContext<Typing | null>(null);

export interface TypingInto {
  readonly values: readonly TypedTime[];
  readonly format: string;
  /** Default times for a day without a time. Empty for a picker of days. */
  readonly fills: readonly string[];
  /** Start of the range, if this field is only the end of a range. */
  readonly after?: TypedTime;
  readonly onChange: (end: End, value: Dayjs | null) => void;
}

export function useTyping({ values, format, fills, after, onChange }: TypingInto) {
  const [texts, setTexts] = useState<readonly (string | null)[]>([null, null]);
  const [open, setOpen] = useState(false);
  const keep = (end: End, text: string | null) =>
    setTexts((old) => old.map((each, index) => (index === end ? text : each)));
  const take = (end: End, read: Dayjs | null) => {
    const value = values[end];
    const same = unreadOf(value) === unreadOf(read) && !momentOf(value) === !momentOf(read);
    // Reports only a different value, because other fields react to every change.
    if (!same || momentOf(value)?.isSame(momentOf(read)) === false) {
      onChange(end, read);
    }
  };
  const readAt = (end: End, text: string) =>
    readTime(text, fills[end], momentOf(end === 1 ? values[0] : after));
  const typing: Typing = {
    shown: (end) => texts[end] ?? unreadOf(values[end]),
    type: (end, text) => {
      keep(end, text);
      setOpen(true);
      const read = readAt(end, text);
      // Takes only a complete text now, because a shorter text may still be completed.
      if (read?.format(format) === text) {
        take(end, read);
      }
    },
    settle: (end) => {
      const text = texts[end]?.trim();
      if (text !== undefined) {
        keep(end, null);
        take(end, text === "" ? null : (readAt(end, text) ?? unreadTime(text)));
      }
    },
  };
  /* `type` opens the panel on the first key, because the library does not receive the keys. */
  return [typing, { open, setOpen }] as const;
}

type InputProps = ComponentProps<"input"> & { "date-range"?: "start" | "end" };

/** Replaces the input of a picker. */
function TypedInput(props: InputProps) {
  const { t } = useTranslation("ui");
  const typing = use(TypingContext);
  const range = props["date-range"];
  const end = range === "end" ? 1 : 0;
  // `settle` changes the value, and the picker must handle the key with the new value.
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

/* This object must be the same in every render, so that the pickers do not render again. */
export const TYPED_INPUT = { input: TypedInput };

export const TypingProvider = TypingContext.Provider;
