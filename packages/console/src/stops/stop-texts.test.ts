import { expect, it } from "vitest";
import { text } from "@red/contract/texts";
import { STOP_TEXTS } from "./stop-texts.ts";

it("a switch that is off uses the words of toast and banner", () => {
  const word = text("stopped", "zh");
  const { toggle_off, banner_everything, banner_payouts } = STOP_TEXTS.zh;
  expect(word).toBe("已暂停");
  expect(toggle_off).toContain(word);
  for (const banner of [banner_everything, banner_payouts]) {
    expect(banner).toMatch(/已(全部)?暂停/);
  }
});
