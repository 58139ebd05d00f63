/** Every route and every dialog of the console: a new screen is a line here. */
import { DIALOG_PLACES } from "./dialog-places.ts";
import { MENU_PLACES } from "./menu-places.ts";
import { PAGE_PLACES } from "./page-places.ts";
import type { Place } from "./place.ts";

export const PLACES: readonly Place[] = [...PAGE_PLACES, ...DIALOG_PLACES, ...MENU_PLACES];

/** Routes that show nothing: they lead on. */
export const LEADING_ON = ["/", "/redirect/$", "/activity_manage/", "/$"] as const;
