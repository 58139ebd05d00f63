/**
 * Pickers of a day, and of a date with its time. What is chosen counts at once, not when the field is left: who
 * presses a button right after choosing has chosen. On a small screen, where the list of days and times covers
 * what is below it, a button of its own closes it; under fingers, no keyboard of the screen's comes up.
 */
import { DatePicker } from "antd";
import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { useIsMobile, useIsNarrow, useIsTouched } from "./media.ts";
import type { Dayjs } from "./wall-time.ts";

export const DATE = "YYYY-MM-DD";
export const DATE_TIME = "YYYY-MM-DD HH:mm:ss";

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
export function usePicking() {
  const isTouched = useIsTouched();
  const isNarrow = useIsNarrow();
  return {
    showNow: false,
    inputReadOnly: isTouched,
    panelRender: (panel: ReactNode) => <Reachable>{panel}</Reachable>,
    onOpenChange: (open: boolean) => {
      if (open && isNarrow) {
        showField();
      }
    },
  } as const;
}

interface DayPickerProps {
  /* From the surrounding form item. */
  id?: string;
  value?: Dayjs | null;
  onChange?: (value: Dayjs | null) => void;
  disabled?: boolean;
}

/** A day without a time. */
export function DayPicker(given: DayPickerProps) {
  return <DatePicker {...given} {...usePicking()} format={DATE} />;
}

/** What every picker of a time has in common; its "now" is the browser's clock, not the business one. */
export function useTimePicking() {
  return { ...usePicking(), format: DATE_TIME, needConfirm: useIsMobile() } as const;
}

interface DateTimePickerProps {
  /* From the surrounding form item. */
  id?: string;
  value?: Dayjs | null;
  onChange?: (value: Dayjs | null) => void;
  /** The time that a day is offered with. */
  time: Dayjs;
  presets?: { label: string; value: Dayjs }[];
}

export function DateTimePicker({ time, onChange, ...given }: DateTimePickerProps) {
  const picking = useTimePicking();
  return (
    <DatePicker
      {...given}
      {...picking}
      showTime={{ defaultOpenValue: time }}
      onChange={(value) => onChange?.(value)}
      onCalendarChange={(value) => {
        if (!Array.isArray(value)) {
          onChange?.(value);
        }
      }}
    />
  );
}
