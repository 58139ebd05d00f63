/** Every route and every dialog of the console: a new screen gets a line here. */
import { DIALOG_PLACES } from "./dialogs.ts";
import { MENU_PLACES } from "./menus.ts";
import { PAGE_PLACES } from "./pages.ts";
import type { Place } from "./place.ts";

export const PLACES: readonly Place[] = [...PAGE_PLACES, ...DIALOG_PLACES, ...MENU_PLACES];

/** Places for a proof: the first `PROVE_N` with `PROVE_ONLY` in their names. Throws when no place has it. */
export function chosenPlaces(): readonly Place[] {
  const only = process.env["PROVE_ONLY"] ?? "";
  const chosen = PLACES.filter(({ name }) => name.includes(only)).slice(
    0,
    Number(process.env["PROVE_N"] ?? PLACES.length),
  );
  if (chosen.length === 0) {
    throw new Error(`no place has "${only}" in its name`);
  }
  return chosen;
}

/** Routes that only redirect. */
export const LEADING_ON = ["/", "/redirect/$", "/activity_manage/", "/$"] as const;
