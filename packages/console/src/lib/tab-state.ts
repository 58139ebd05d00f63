/**
 * What the console keeps for as long as a tab is open, over reloads and signing in again: drafts,
 * open pages, faults. It belongs to one operator; another one finds nothing of it.
 */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";

const OWNER_KEY = "kept_for";
const PREFIX = "kept:";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function tell(): void {
  listeners.forEach((listener) => listener());
}

function valueOf(text: string | null): unknown {
  if (text === null) {
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The kept value, as it was written; null when there is none or it is no JSON. */
export function readKept(key: string): unknown {
  return valueOf(sessionStorage.getItem(PREFIX + key));
}

/** As `readKept`, and follows its changes. */
export function useKept(key: string): unknown {
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(PREFIX + key));
  return useMemo(() => valueOf(text), [text]);
}

/** Keeps a value that JSON can hold. Without room for it, nothing is kept. */
export function writeKept(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    sessionStorage.removeItem(PREFIX + key);
  }
  tell();
}

export function dropKept(key: string): void {
  sessionStorage.removeItem(PREFIX + key);
  tell();
}

interface KeptState {
  readonly address: string;
  readonly state: unknown;
}

function isKeptState(kept: unknown): kept is KeptState {
  return typeof kept === "object" && kept !== null && "address" in kept && "state" in kept;
}

function stateHere(key: string): unknown {
  const kept = readKept(key);
  return isKeptState(kept) && kept.address === window.location.href ? kept.state : null;
}

/**
 * State of a page that is still there after a reload and after signing in again at the same address,
 * and gone once the page is left. `parse` makes it from what was kept, which may be anything.
 */
export function useKeptState<T>(key: string, parse: (kept: unknown) => T): [T, (state: T) => void] {
  const [state, setState] = useState(() => parse(stateHere(key)));
  useEffect(() => {
    writeKept(key, { address: window.location.href, state });
    return () => dropKept(key);
  }, [key, state]);
  return [state, setState];
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
  tell();
}

/** Says whose tab this is; what another operator left behind is forgotten. */
export function claimTab(name: string): void {
  const owner = sessionStorage.getItem(OWNER_KEY);
  if (owner !== null && owner !== name) {
    dropAllKept();
  }
  sessionStorage.setItem(OWNER_KEY, name);
}
