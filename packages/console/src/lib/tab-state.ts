/**
 * What the console keeps for as long as a tab is open, over reloads and signing in again: drafts,
 * open pages, faults. It belongs to one operator; another one finds nothing of it.
 */

const OWNER_KEY = "kept_for";
const PREFIX = "kept:";

/** The kept value, as it was written; null when there is none or it is no JSON. */
export function readKept(key: string): unknown {
  const text = sessionStorage.getItem(PREFIX + key);
  if (text === null) {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Keeps a value that JSON can hold. Without room for it, nothing is kept. */
export function writeKept(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    dropKept(key);
  }
}

export function dropKept(key: string): void {
  sessionStorage.removeItem(PREFIX + key);
}

/** Forgets everything that is kept, as on logging out. */
export function dropAllKept(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, index) =>
    sessionStorage.key(index),
  );
  for (const key of keys) {
    if (key?.startsWith(PREFIX) === true) {
      sessionStorage.removeItem(key);
    }
  }
}

/** Says whose tab this is; what another operator left behind is forgotten. */
export function claimTab(name: string): void {
  if (sessionStorage.getItem(OWNER_KEY) !== name) {
    dropAllKept();
    sessionStorage.setItem(OWNER_KEY, name);
  }
}
