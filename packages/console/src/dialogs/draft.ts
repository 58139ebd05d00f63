/**
 * What was entered into a form that is still open, kept for the tab: after signing in again at the
 * same address it is put back (behaviour §1).
 */
import { dropKept, readKept, writeKept } from "#lib/tab-state.ts";
import { dayjs } from "#ui/wall-time.ts";

export type Fields = Readonly<Record<string, unknown>>;

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

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function storedOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      dayjs.isDayjs(value) ? { time: value.format(TIME) } : value,
    ]),
  );
}

/** Do two forms hold the same? An empty field is one, however its emptiness is written. */
export function isSameInput(one: Fields, other: Fields): boolean {
  const [first, second] = [storedOf(one), storedOf(other)];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every(
    (name) =>
      (isEmpty(first[name]) && isEmpty(second[name])) ||
      JSON.stringify(first[name]) === JSON.stringify(second[name]),
  );
}

export function saveDraft(key: string, fields: Fields): void {
  writeKept(nameOf(key), storedOf(fields));
}

export function loadDraft(key: string): Fields | null {
  const stored = readKept(nameOf(key));
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
  dropKept(nameOf(key));
}
