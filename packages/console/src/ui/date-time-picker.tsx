/**
 * Pickers for a day, a moment or a range. A value takes effect as soon as it is chosen or typed, so a button pressed
 * right afterwards uses the new value. On small screens the panel covers the fields below, so it has a button that
 * closes it. On touch screens no keyboard opens.
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

/* The component library reads the default time of a day from a full moment. */
function onSomeDay(time: string): Dayjs {
  return dayjs(`2000-01-01 ${time}`);
}

/** Space in CSS pixels that stays free above the panel. */
const ABOVE_SHEET = 200;

/* Scrolls the field into view above the panel, which on phones is a sheet at the lower edge. The last fields need
   extra space below them to scroll this far. The space stays when the sheet closes, so that the page does not jump. */
function showField(): void {
  const field = document.activeElement?.closest(".ant-picker");
  field?.scrollIntoView({ block: "start" });
  if (field !== null && field !== undefined && field.getBoundingClientRect().bottom > ABOVE_SHEET) {
    field.closest(".ant-modal-body, .k-page")?.setAttribute("data-sheet-room", "");
    field.scrollIntoView({ block: "start" });
  }
}

/** Lets the keyboard reach the scrolling lists of hours, minutes and seconds. */
function ReachablePanel({ children }: { children: ReactNode }) {
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
    panelRender: (panel: ReactNode) => <ReachablePanel>{panel}</ReachablePanel>,
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
  /* The form item sets these props. */
  id?: string;
  value?: V;
  onChange?: (value: V) => void;
  disabled?: boolean;
}

interface DateTimePickerProps extends PickerProps<TypedTime> {
  /** Default time if only a day is chosen or typed. Without it, only days can be chosen. */
  time?: string;
  /**
   * Start of the range, if this field is the end. A time typed without a day becomes the next such time after the
   * start.
   */
  after?: TypedTime;
  presets?: { label: string; value: Dayjs }[];
  /** Use it only outside a form, because a form marks its own fields. */
  isWrong?: boolean;
}

export function DateTimePicker(props: DateTimePickerProps) {
  const { time, after, value, onChange, isWrong = false, ...rest } = props;
  const { t } = useTranslation("ui");
  const isMobile = useIsMobile();
  const isDay = time === undefined;
  const format = isDay ? DATE : DATE_TIME;
  const change = (moment: Dayjs | null) => onChange?.(moment);
  const [typing, picking] = usePicking({
    values: [value],
    format,
    fills: isDay ? [] : [time],
    after,
    onChange: (_, moment) => change(moment),
  });
  const showTime = useMemo(
    () => time !== undefined && { defaultOpenValue: onSomeDay(time) },
    [time],
  );
  return (
    <TypingProvider value={typing}>
      <DatePicker
        {...rest}
        {...picking}
        {...(isWrong && { status: "error" as const })}
        value={momentOf(value)}
        format={format}
        needConfirm={isMobile && !isDay}
        showTime={showTime}
        placeholder={t(isDay ? "date_format" : "date_time_format")}
        onChange={change}
        onCalendarChange={(moment) => {
          if (!isDay && !Array.isArray(moment)) {
            change(moment);
          }
        }}
      />
    </TypingProvider>
  );
}

export function DayPicker(props: PickerProps<TypedTime>) {
  return <DateTimePicker {...props} />;
}

/** Start and end. Either of them may be missing or unreadable; null if both are empty. */
export type TypedRange = readonly [TypedTime, TypedTime] | null | undefined;

const RANGE_FILLS = [DAY_START, DAY_END] as const;
const RANGE_TIMES: [Dayjs, Dayjs] = [onSomeDay(DAY_START), onSomeDay(DAY_END)];

interface TimeRangePickerProps extends PickerProps<TypedRange> {
  /** Accessible name. The picker adds "start" and "end" to it. */
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
  /* Sets the chosen start and end. If the library returns no value for an unreadable text, the text is kept. */
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
        // Without this the focus cannot leave an empty start field.
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
