/**
 * Stores unsaved input of a form. The input is restored after a reload, or after a new sign-in at the same address
 * (behaviour §1).
 */
import { dropKept, readKept, writeKept } from "#lib/tab-state.ts";
import { unreadOf, unreadTime } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";

export type Fields = Readonly<Record<string, unknown>>;

const TIME = "YYYY-MM-DD HH:mm:ss";

/* Converts the values of pickers: JSON would shift them to another time zone. */
function storedOfValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(storedOfValue);
  }
  if (value instanceof File) {
    return { file: value.name };
  }
  if (!dayjs.isDayjs(value)) {
    return value;
  }
  const unread = unreadOf(value);
  return unread === undefined ? { time: value.format(TIME) } : { unread };
}

function valueOfStored(stored: unknown): unknown {
  if (Array.isArray(stored)) {
    return stored.map(valueOfStored);
  }
  if (typeof stored !== "object" || stored === null) {
    return stored;
  }
  if ("time" in stored && typeof stored.time === "string") {
    return dayjs(stored.time);
  }
  // The content of a file is not stored, so the operator has to choose the file again.
  if ("file" in stored) {
    return null;
  }
  return "unread" in stored && typeof stored.unread === "string"
    ? unreadTime(stored.unread)
    : stored;
}

function nameOf(key: string): string {
  return `draft:${key}`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function storedOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, storedOfValue(value)]),
  );
}

/** Returns whether two forms have the same input. Undefined, null and "" count as equal. */
export function isSameInput(a: Fields, b: Fields): boolean {
  const [first, second] = [storedOf(a), storedOf(b)];
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
    Object.entries(stored).map(([name, value]: [string, unknown]) => [name, valueOfStored(value)]),
  );
}

export function dropDraft(key: string): void {
  dropKept(nameOf(key));
}
