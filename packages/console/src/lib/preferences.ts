/** What the console remembers of an operator's taste; cookies where the specification says so. */
import { useSyncExternalStore } from "react";

interface Store {
  readonly read: (key: string) => string | null;
  readonly write: (key: string, value: string) => void;
}

const YEAR_SECONDS = 31_536_000;

const cookies: Store = {
  read: (key) => {
    const found = document.cookie.split("; ").find((pair) => pair.startsWith(`${key}=`));
    return found === undefined ? null : decodeURIComponent(found.slice(key.length + 1));
  },
  write: (key, value) => {
    document.cookie = `${key}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  },
};

const storage: Store = {
  read: (key) => localStorage.getItem(key),
  write: (key, value) => localStorage.setItem(key, value),
};

interface Preference<T extends string> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** One remembered choice; the first of `values` is the default. */
function preference<const T extends readonly [string, ...string[]]>(
  store: Store,
  key: string,
  values: T,
): Preference<T[number]> {
  const listeners = new Set<() => void>();
  return {
    get: () => {
      const stored = store.read(key);
      return values.find((value) => value === stored) ?? values[0];
    },
    set: (value) => {
      store.write(key, value);
      listeners.forEach((listener) => listener());
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** `1` open, `0` collapsed; absent means open (spec §2 "Shell"). */
export const sidebarStatus = preference(cookies, "sidebarStatus", ["1", "0"]);

/** Size of controls and rows (spec §2 "Shell"). */
export const controlSize = preference(cookies, "size", ["medium", "default", "small"]);

export const themeMode = preference(storage, "theme", ["system", "light", "dark"]);
export type ThemeMode = ReturnType<typeof themeMode.get>;

/** Reads a preference and follows its changes. */
export function usePreference<T extends string>(chosen: Preference<T>): T {
  return useSyncExternalStore(chosen.subscribe, chosen.get);
}

const darkQuery = window.matchMedia("(prefers-color-scheme: dark)");

function effectiveTheme(): "light" | "dark" {
  const mode = themeMode.get();
  if (mode !== "system") {
    return mode;
  }
  return darkQuery.matches ? "dark" : "light";
}

function subscribeTheme(listener: () => void): () => void {
  darkQuery.addEventListener("change", listener);
  const stop = themeMode.subscribe(listener);
  return () => {
    darkQuery.removeEventListener("change", listener);
    stop();
  };
}

/** Light or dark, after "as the system" is resolved. */
export function useEffectiveTheme(): "light" | "dark" {
  return useSyncExternalStore(subscribeTheme, effectiveTheme);
}

/** Marks the document with the theme in force, and has it drawn so, now and after every change. */
export function followTheme(draw: (theme: "light" | "dark") => void): void {
  const apply = () => {
    const theme = effectiveTheme();
    document.documentElement.dataset["theme"] = theme;
    draw(theme);
  };
  apply();
  subscribeTheme(apply);
}
