/**
 * State of a tab that survives a reload and a new sign-in: drafts, open pages, error log. It belongs to one operator.
 */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { jsonOrNull } from "./json-or-null.ts";
import { changes } from "./store.ts";

const OWNER_KEY = "kept_for";
const PREFIX = "kept:";

const { subscribe, announce } = changes();

/** Returns the parsed value, or null if it is missing or not JSON. */
export function readKept(key: string): unknown {
  return jsonOrNull(sessionStorage.getItem(PREFIX + key));
}

/** Like `readKept`, but renders again after changes. */
export function useKept(key: string): unknown {
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(PREFIX + key));
  return useMemo(() => jsonOrNull(text), [text]);
}

/** Stores a JSON value. If the storage is full, the old value is removed too. */
export function writeKept(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    sessionStorage.removeItem(PREFIX + key);
  }
  announce();
}

export function dropKept(key: string): void {
  sessionStorage.removeItem(PREFIX + key);
  announce();
}

const pageState = z.object({ address: z.string(), state: z.unknown() });

function stateHere(key: string): unknown {
  const { data } = pageState.safeParse(readKept(key));
  return data?.address === window.location.href ? data.state : null;
}

/**
 * State of a page that survives a reload and a new sign-in at the same address, until the operator leaves the page.
 * `parse` must accept any stored value.
 */
export function useKeptState<T>(key: string, parse: (kept: unknown) => T): [T, (state: T) => void] {
  const [state, setState] = useState(() => parse(stateHere(key)));
  useEffect(() => {
    writeKept(key, { address: window.location.href, state });
    return () => dropKept(key);
  }, [key, state]);
  return [state, setState];
}

export function dropAllKept(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) {
      sessionStorage.removeItem(key);
    }
  }
  announce();
}

/** Sets the operator of the tab. Removes the state of another operator who used the tab before. */
export function claimTab(name: string): void {
  const owner = sessionStorage.getItem(OWNER_KEY);
  if (owner !== null && owner !== name) {
    dropAllKept();
  }
  sessionStorage.setItem(OWNER_KEY, name);
}
