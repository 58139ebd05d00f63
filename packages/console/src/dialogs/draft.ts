/**
 * What was entered into a form that is still open, kept for the tab: after signing in again at the
 * same address it is put back (behaviour §1).
 */
import { dayjs } from "#ui/wall-time.ts";

type Fields = Readonly<Record<string, unknown>>;

const TIME = "YYYY-MM-DD HH:mm:ss";

/* JSON would turn a picker's value into another time zone's text. */
interface StoredTime {
  readonly time: string;
}

function isStoredTime(value: unknown): value is StoredTime {
  return typeof value === "object" && value !== null && "time" in value;
}

function nameOf(key: string): string {
  return `draft:${key}`;
}

export function saveDraft(key: string, fields: Fields): void {
  const stored = Object.entries(fields).map(([name, value]) => [
    name,
    dayjs.isDayjs(value) ? { time: value.format(TIME) } : value,
  ]);
  sessionStorage.setItem(nameOf(key), JSON.stringify(Object.fromEntries(stored)));
}

export function loadDraft(key: string): Fields | null {
  const text = sessionStorage.getItem(nameOf(key));
  if (text === null) {
    return null;
  }
  const stored: unknown = JSON.parse(text);
  if (typeof stored !== "object" || stored === null) {
    return null;
  }
  return Object.fromEntries(
    Object.entries(stored).map(([name, value]: [string, unknown]) => [
      name,
      isStoredTime(value) ? dayjs(value.time) : value,
    ]),
  );
}

export function dropDraft(key: string): void {
  sessionStorage.removeItem(nameOf(key));
}
