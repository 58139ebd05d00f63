/**
 * Settings stored in the browser. They are in cookies where the specification requires it, otherwise in local storage.
 */
import { useSyncExternalStore } from "react";
import { THEME_COLOUR } from "@red/contract/platform/limits";
import { changes } from "./store.ts";

interface Store {
  /** Returns all values of the key, because other pages of the same domain may set cookies with the same name. */
  readonly read: (key: string) => readonly string[];
  readonly write: (key: string, value: string) => void;
}

const YEAR_SECONDS = 31_536_000;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Another page has set this cookie, and its value cannot be decoded.
    return "";
  }
}

const cookies: Store = {
  read: (key) => {
    const found = document.cookie.split("; ").filter((pair) => pair.startsWith(`${key}=`));
    return found.map((pair) => decoded(pair.slice(key.length + 1)));
  },
  write: (key, value) => {
    document.cookie = `${key}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  },
};

const storage: Store = {
  read: (key) => [localStorage.getItem(key) ?? ""],
  write: (key, value) => localStorage.setItem(key, value),
};

/** Setting with a text value. It takes the first stored value that `valid` accepts, otherwise `standard`. */
function remembered<T extends string>(
  store: Store,
  key: string,
  standard: T,
  valid: (stored: string) => T | undefined,
) {
  const { subscribe, announce } = changes();
  return {
    standard,
    get: (): T =>
      store
        .read(key)
        .map(valid)
        .find((value) => value !== undefined) ?? standard,
    set: (value: T): void => {
      store.write(key, value);
      announce();
    },
    subscribe,
  };
}

export type Preference<T extends string> = ReturnType<typeof remembered<T>>;

/** Setting with fixed values. The first of `values` is the default. */
function preference<const T extends readonly [string, ...string[]]>(
  store: Store,
  key: string,
  values: T,
): Preference<T[number]> {
  return remembered<T[number]>(store, key, values[0], (stored) =>
    values.find((value) => value === stored),
  );
}

/** `1` means open (default), `0` means collapsed (spec §2 "Shell"). */
export const sidebarStatus = preference(cookies, "sidebarStatus", ["1", "0"]);

/** Size of controls and table rows (spec §2 "Shell"). */
export const controlSize = preference(cookies, "size", ["medium", "default", "small"]);

/* Display settings (spec §2 "Shell"). `1` means on, `0` means off. */
export const tagsView = preference(storage, "tags_view", ["0", "1"]);
export const fixedHeader = preference(storage, "fixed_header", ["1", "0"]);
export const sidebarLogo = preference(storage, "sidebar_logo", ["1", "0"]);

/** Colour as `#rrggbb`. All other colours are derived from it (spec §9). */
export const themeColour = remembered<string>(storage, "theme_colour", THEME_COLOUR, (stored) =>
  /^#[\da-f]{6}$/i.test(stored) ? stored : undefined,
);

export const themeMode = preference(storage, "theme", ["system", "light", "dark"]);
export const THEME_MODES = ["light", "dark", "system"] as const;

export function usePreference<T extends string>(chosen: Preference<T>): T {
  return useSyncExternalStore(chosen.subscribe, chosen.get);
}

const DARK = "(prefers-color-scheme: dark)";

/** Used only for listening. Chromium drops the event if the new value was already read from the same object. */
const darkChanges = window.matchMedia(DARK);

function effectiveTheme(): "light" | "dark" {
  const mode = themeMode.get();
  if (mode !== "system") {
    return mode;
  }
  return window.matchMedia(DARK).matches ? "dark" : "light";
}

function subscribeTheme(listener: () => void): () => void {
  darkChanges.addEventListener("change", listener);
  const stop = themeMode.subscribe(listener);
  return () => {
    darkChanges.removeEventListener("change", listener);
    stop();
  };
}

/** Returns light or dark. The setting "system" becomes one of the two. */
export function useEffectiveTheme(): "light" | "dark" {
  return useSyncExternalStore(subscribeTheme, effectiveTheme);
}

/** Sets the theme of the document and calls `paint`, now and after each change. */
export function followTheme(paint: (theme: "light" | "dark", colour: string) => void): void {
  const apply = () => {
    const theme = effectiveTheme();
    document.documentElement.dataset["theme"] = theme;
    paint(theme, themeColour.get());
  };
  apply();
  subscribeTheme(apply);
  themeColour.subscribe(apply);
}
