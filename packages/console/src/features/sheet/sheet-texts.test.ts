import { expect, it } from "vitest";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import { SHEET_TEXTS } from "./sheet-texts.ts";

it.each(["zh", "en"] as const)(
  "sheet and records use the same word for a payout in doubt: %s",
  (language) => {
    expect(SHEET_TEXTS[language].unknown).toBe(LOOKUP_TEXTS[language].state_unknown);
  },
);
