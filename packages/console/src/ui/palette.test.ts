import fc from "fast-check";
import { expect, it } from "vitest";
import { THEME_COLOURS } from "@red/contract/platform/limits";
import { contrast } from "./colour.ts";
import { CONTRAST_MIN, customProperties, palette } from "./palette.ts";
import type { Mode, Palette } from "./palette.ts";

const BACKGROUNDS = ["canvas", "surface", "raised", "muted"] as const;
const OWN = ["unknown", "check", "waiting_delivery", "closed", "link"] as const;
const TEXTS = ["text", "text2", "text3", "danger", "success", "warning", "action", ...OWN] as const;
const PAIRS: readonly (readonly [keyof Palette, keyof Palette])[] = [
  ...TEXTS.flatMap((text) => BACKGROUNDS.map((background) => [text, background] as const)),
  ["action", "actionSoft"],
  ["danger", "dangerSoft"],
  ["success", "successSoft"],
  ["warning", "warningSoft"],
  ...OWN.map((text) => [text, "actionSoft"] as const),
  ["text", "actionSoft"],
  ["onAction", "action"],
  ["onAction", "actionHover"],
  ["onAction", "actionPressed"],
  ["onDanger", "danger"],
];

function weakPairs(mode: Mode, theme: string): string[] {
  const colours = palette(mode, theme);
  return PAIRS.filter(([text, on]) => contrast(colours[text], colours[on]) < CONTRAST_MIN).map(
    ([text, on]) => `${text} ${colours[text]} on ${on} ${colours[on]}`,
  );
}

it.each(["light", "dark"] as const)(
  "in %s every text reaches 4.5:1 for any theme colour",
  (mode) => {
    const colour = fc
      .integer({ min: 0, max: 0xffffff })
      .map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`);
    const reaches = fc.property(colour, (theme) => {
      expect(weakPairs(mode, theme)).toEqual([]);
    });
    fc.assert(reaches, { examples: THEME_COLOURS.map((theme): [string] => [theme]) });
  },
);

it("keeps the chosen colour itself for decoration", () => {
  expect(palette("light", "#409EFF").theme).toBe("#409EFF");
  expect(palette("light", "#409EFF").action).not.toBe("#409EFF");
});

it("throws for a text that is not a colour", () => {
  expect(() => palette("light", "red")).toThrow(RangeError);
});

it("names custom properties as the style sheets do", () => {
  expect(customProperties(palette("dark", "#409EFF"))).toMatchObject({
    "--text2": "#b4bdc8",
    "--action-soft": expect.stringMatching(/^#/),
  });
});
