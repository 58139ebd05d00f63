/**
 * Pickers of a day, a moment, or a range of either. A value counts as soon as it is chosen or typed, not on
 * blur, so that a button pressed right afterwards sees it. Tab moves from end to end and on, also past an
 * empty one. On small screens, where the panel covers what is below it, it has a button to close it; on touch
 * screens no keyboard opens.
 */
import { DatePicker } from "antd";
import { useEffect, useMemo, useRef } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useIsMobile, useIsNarrow, useIsTouched } from "./media.ts";
import { DATE, DATE_TIME, DAY_END, DAY_START, momentOf, unreadOf } from "./typed-time.ts";
import type { TypedTime } from "./typed-time.ts";
import { TYPED_INPUT, TypingProvider, useTyping } from "./typing.tsx";
import type { TypingInto } from "./typing.tsx";
import { dayjs } from "./wall-time.ts";
import type { Dayjs } from "./wall-time.ts";

/* The library reads the default time of a day from a moment. */
function onSomeDay(time: string): Dayjs {
  return dayjs(`2000-01-01 ${time}`);
}

/** CSS pixels that stay free above the panel, at least. */
const ABOVE_SHEET = 200;

/*
 * Where the panel is a sheet at the lower edge of the screen, scrolls the field above it. The last fields
 * need extra room to scroll; it stays, so that nothing jumps when the sheet closes.
 */
function showField(): void {
  const field = document.activeElement?.closest(".ant-picker");
  field?.scrollIntoView({ block: "start" });
  if (field !== null && field !== undefined && field.getBoundingClientRect().bottom > ABOVE_SHEET) {
    field.closest(".ant-modal-body, .k-page")?.setAttribute("data-sheet-room", "");
    field.scrollIntoView({ block: "start" });
  }
}

/** Hours, minutes and seconds are scroll boxes; lets the keyboard reach them. */
function Reachable({ children }: { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const column of panel.current?.querySelectorAll(".ant-picker-time-panel-column") ?? []) {
      column.setAttribute("tabindex", "0");
    }
  });
  return <div ref={panel}>{children}</div>;
}

function usePicking(typing: TypingInto) {
  const isTouched = useIsTouched();
  const isNarrow = useIsNarrow();
  const [entry, { open, setOpen }] = useTyping(typing);
  const shared = {
    open,
    showNow: false,
    inputReadOnly: isTouched,
    components: TYPED_INPUT,
    panelRender: (panel: ReactNode) => <Reachable>{panel}</Reachable>,
    onOpenChange: (opened: boolean) => {
      setOpen(opened);
      if (opened && isNarrow) {
        showField();
      }
    },
  } as const;
  return [entry, shared] as const;
}

interface PickerProps<V> {
  /* Set by the form item. */
  id?: string;
  value?: V;
  onChange?: (value: V) => void;
  disabled?: boolean;
}

export function DayPicker({ value, onChange, ...rest }: PickerProps<TypedTime>) {
  const { t } = useTranslation("ui");
  const change = (day: Dayjs | null) => onChange?.(day);
  const [typing, picking] = usePicking({
    values: [value],
    format: DATE,
    fills: [],
    onChange: (_, day) => change(day),
  });
  return (
    <TypingProvider value={typing}>
      <DatePicker
        {...rest}
        {...picking}
        value={momentOf(value)}
        format={DATE}
        placeholder={t("date_format")}
        onChange={change}
      />
    </TypingProvider>
  );
}

interface DateTimePickerProps extends PickerProps<TypedTime> {
  /** Default time of a day, also when only a day is typed. */
  time: string;
  /** The start, if this is an end: a time alone follows it. */
  after?: TypedTime;
  presets?: { label: string; value: Dayjs }[];
  /** Outside a form, which marks its fields itself. */
  isWrong?: boolean;
}

export function DateTimePicker(props: DateTimePickerProps) {
  const { time, after, value, onChange, isWrong = false, ...rest } = props;
  const { t } = useTranslation("ui");
  const isMobile = useIsMobile();
  const change = (moment: Dayjs | null) => onChange?.(moment);
  const [typing, picking] = usePicking({
    values: [value],
    format: DATE_TIME,
    fills: [time],
    after,
    onChange: (_, moment) => change(moment),
  });
  const defaultOpenValue = useMemo(() => onSomeDay(time), [time]);
  return (
    <TypingProvider value={typing}>
      <DatePicker
        {...rest}
        {...picking}
        {...(isWrong && { status: "error" as const })}
        value={momentOf(value)}
        format={DATE_TIME}
        needConfirm={isMobile}
        showTime={{ defaultOpenValue }}
        placeholder={t("date_time_format")}
        onChange={change}
        onCalendarChange={(moment) => {
          if (!Array.isArray(moment)) {
            change(moment);
          }
        }}
      />
    </TypingProvider>
  );
}

/** A range; either end may be missing or unreadable; null when both are empty. */
export type TypedRange = readonly [TypedTime, TypedTime] | null | undefined;

const RANGE_FILLS = [DAY_START, DAY_END] as const;
const RANGE_TIMES: [Dayjs, Dayjs] = [onSomeDay(DAY_START), onSomeDay(DAY_END)];

interface TimeRangePickerProps extends PickerProps<TypedRange> {
  /** Accessible name; "start" and "end" are added. */
  label: string;
  presets?: { label: string; value: [Dayjs, Dayjs] }[];
}

export function TimeRangePicker({ id, label, value, onChange, ...rest }: TimeRangePickerProps) {
  const { t } = useTranslation("ui");
  const isMobile = useIsMobile();
  const [start, end] = value ?? [null, null];
  const change = (from: TypedTime, to: TypedTime) =>
    onChange?.((from ?? to) === null || (from ?? to) === undefined ? null : [from, to]);
  const [typing, picking] = usePicking({
    values: [start, end],
    format: DATE_TIME,
    fills: RANGE_FILLS,
    onChange: (at, moment) => (at === 0 ? change(moment, end) : change(start, moment)),
  });
  const moments = useMemo(
    (): [Dayjs | null, Dayjs | null] => [momentOf(start), momentOf(end)],
    [start, end],
  );
  /* Keep the other end, also when it is unreadable. */
  const choose = (chosen: readonly (Dayjs | null)[] | null) => {
    const [from = null, to = null] = chosen ?? [];
    const ifUnread = (old: TypedTime) => (unreadOf(old) === undefined ? null : old);
    change(from ?? ifUnread(start), to ?? ifUnread(end));
  };
  return (
    <TypingProvider value={typing}>
      <DatePicker.RangePicker
        {...rest}
        {...picking}
        format={DATE_TIME}
        needConfirm={isMobile}
        {...(id !== undefined && { id: { start: id, end: `${id}_end` } })}
        aria-label={label}
        // Without this the focus cannot leave an empty start.
        allowEmpty={[true, true]}
        value={moments}
        showTime={{ defaultOpenValue: RANGE_TIMES }}
        placeholder={isMobile ? [t("start"), t("end")] : [t("start_format"), t("end_format")]}
        onChange={(chosen) => (chosen === null ? onChange?.(null) : choose(chosen))}
        onCalendarChange={choose}
      />
    </TypingProvider>
  );
}
