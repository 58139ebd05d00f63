/**
 * Pickers of a day, of a date with its time, and of two of these. What is chosen or typed counts at once,
 * not when the field is left: who presses a button right after choosing has chosen. Tab goes from end to
 * end and on, also past an empty one. On a small screen, where the list of days and times covers what is
 * below it, a button of its own closes it; under fingers, no keyboard of the screen's comes up.
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

/* The library takes the time of a moment for the time that a day is offered with. */
function onSomeDay(time: string): Dayjs {
  return dayjs(`2000-01-01 ${time}`);
}

/** CSS pixels that the sheet of days and times leaves above it, at least. */
const ABOVE_SHEET = 200;

/*
 * Where days and times are a sheet over the lower part of the screen, the field is brought above it. The last
 * fields have nothing below them to be scrolled by: they are given room, which stays, so that nothing jumps
 * away from the finger when the sheet is left.
 */
function showField(): void {
  const field = document.activeElement?.closest(".ant-picker");
  field?.scrollIntoView({ block: "start" });
  if (field !== null && field !== undefined && field.getBoundingClientRect().bottom > ABOVE_SHEET) {
    field.closest(".ant-modal-body, .k-page")?.setAttribute("data-sheet-room", "");
    field.scrollIntoView({ block: "start" });
  }
}

/** The columns of hours, minutes and seconds scroll: the keyboard reaches each. */
function Reachable({ children }: { children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const column of panel.current?.querySelectorAll(".ant-picker-time-panel-column") ?? []) {
      column.setAttribute("tabindex", "0");
    }
  });
  return <div ref={panel}>{children}</div>;
}

/** What every picker has in common. */
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
  /* From the surrounding form item. */
  id?: string;
  value?: V;
  onChange?: (value: V) => void;
  disabled?: boolean;
}

export function DayPicker({ value, onChange, ...given }: PickerProps<TypedTime>) {
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
        {...given}
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
  /** The time that a day is offered with, and completed by where it is typed alone. */
  time: string;
  presets?: { label: string; value: Dayjs }[];
}

export function DateTimePicker({ time, value, onChange, ...given }: DateTimePickerProps) {
  const { t } = useTranslation("ui");
  const isMobile = useIsMobile();
  const change = (moment: Dayjs | null) => onChange?.(moment);
  const [typing, picking] = usePicking({
    values: [value],
    format: DATE_TIME,
    fills: [time],
    onChange: (_, moment) => change(moment),
  });
  const defaultOpenValue = useMemo(() => onSomeDay(time), [time]);
  return (
    <TypingProvider value={typing}>
      <DatePicker
        {...given}
        {...picking}
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

/** A start and an end, either of which may be missing or not read; null when both are empty. */
export type TypedRange = readonly [TypedTime, TypedTime] | null | undefined;

const RANGE_FILLS = [DAY_START, DAY_END] as const;
const RANGE_TIMES: [Dayjs, Dayjs] = [onSomeDay(DAY_START), onSomeDay(DAY_END)];

interface TimeRangePickerProps extends PickerProps<TypedRange> {
  /** Accessible name; the ends add which they are. */
  label: string;
  presets?: { label: string; value: [Dayjs, Dayjs] }[];
}

export function TimeRangePicker({ id, label, value, onChange, ...given }: TimeRangePickerProps) {
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
  /* Choosing one end leaves the other as it is, also where it could not be read. */
  const choose = (chosen: readonly (Dayjs | null)[] | null) => {
    const [from = null, to = null] = chosen ?? [];
    const kept = (old: TypedTime) => (unreadOf(old) === undefined ? null : old);
    change(from ?? kept(start), to ?? kept(end));
  };
  return (
    <TypingProvider value={typing}>
      <DatePicker.RangePicker
        {...given}
        {...picking}
        format={DATE_TIME}
        needConfirm={isMobile}
        {...(id !== undefined && { id: { start: id, end: `${id}_end` } })}
        aria-label={label}
        // With less the focus is held in a start that is empty.
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
