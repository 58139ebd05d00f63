/**
 * Pickers of a date with its time. What is chosen counts at once, not when the field is left: who
 * presses a button right after choosing has chosen. On a small screen, where the list of days and times covers
 * what is below it, a button of its own closes it, and no keyboard of the screen's comes up.
 */
import { DatePicker } from "antd";
import { useIsMobile } from "./media.ts";
import type { Dayjs } from "./wall-time.ts";

export const DATE_TIME = "YYYY-MM-DD HH:mm:ss";

/** What every picker of a time has in common; its "now" is the browser's clock, not the business one. */
export function useTimePicking() {
  const isMobile = useIsMobile();
  return {
    format: DATE_TIME,
    showNow: false,
    needConfirm: isMobile,
    inputReadOnly: isMobile,
  } as const;
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
