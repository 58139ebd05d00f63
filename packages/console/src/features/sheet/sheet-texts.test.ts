import { expect, it } from "vitest";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import { SHEET_TEXTS } from "./sheet-texts.ts";

it.each(["zh", "en"] as const)(
  "a sheet calls a payout in doubt what records call it: %s",
  (language) => {
    expect(SHEET_TEXTS[language].unknown).toBe(LOOKUP_TEXTS[language].state_unknown);
  },
);
