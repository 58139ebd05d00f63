/**
 * The colours of the console. The theme colour (spec §9: #409EFF) is used only for decoration. Text and controls use
 * the action shade derived from the theme colour, so every text has a contrast of 4.5:1 in light and dark (behaviour
 * §9).
 */
import { contrast, lighten, mix, readable } from "./colour.ts";

export type Mode = "light" | "dark";

const NEUTRALS = {
  light: {
    canvas: "#f4f6f9",
    surface: "#ffffff",
    raised: "#ffffff",
    muted: "#f7f9fb",
    line: "#e4e8ee",
    border: "#cdd4de",
    text: "#1d2530",
    text2: "#475260",
    text3: "#5c6875",
    danger: "#c4272e",
    success: "#217a1b",
    warning: "#8f5400",
    // The next colours have the names of payout states.
    unknown: "#7a3fb0",
    check: "#a03a0c",
    waiting_delivery: "#0b6f78",
    closed: "#85456a",
    dangerSoft: "#fdf0f0",
    successSoft: "#eef8ea",
    warningSoft: "#fdf6e7",
  },
  dark: {
    canvas: "#0e1217",
    surface: "#161b22",
    raised: "#1d242d",
    muted: "#1a2029",
    line: "#29313c",
    border: "#3d4856",
    text: "#e5e9ee",
    text2: "#b4bdc8",
    text3: "#97a2af",
    danger: "#ff8b87",
    success: "#79c96c",
    warning: "#e3a948",
    unknown: "#c9a2f2",
    check: "#f0a07a",
    waiting_delivery: "#5cc3cb",
    closed: "#d9a0bf",
    dangerSoft: "#361c1f",
    successSoft: "#182b19",
    warningSoft: "#312613",
  },
} as const;

type Neutrals = Readonly<Record<keyof (typeof NEUTRALS)["light"], string>>;

export interface Palette extends Neutrals {
  /** The theme colour itself. It is only decoration, never text and never a background of text. */
  readonly theme: string;
  readonly action: string;
  /** Colour of links in a list, where most cells are links. It is between `text` and `action`. */
  readonly link: string;
  readonly actionHover: string;
  readonly actionPressed: string;
  readonly onAction: string;
  readonly onDanger: string;
  /** Background of selected items. `action` is readable on this background. */
  readonly actionSoft: string;
  readonly actionLine: string;
}

export const CONTRAST_MIN = 4.5;
/* Slightly above the minimum, because rounding to hex may reduce the contrast. */
const AIM = 4.6;

const INK = "#0a1119";
const PAPER = "#ffffff";

/** Returns black or white, whichever has more contrast with `fill`. */
function textOn(fill: string): string {
  return contrast(PAPER, fill) >= contrast(INK, fill) ? PAPER : INK;
}

/** Returns all colours for a theme colour `#rrggbb`. Throws RangeError for any other text. */
export function palette(mode: Mode, theme: string): Palette {
  if (!/^#[\da-f]{6}$/i.test(theme)) {
    throw new RangeError(`not a colour: ${theme}`);
  }
  const neutrals = NEUTRALS[mode];
  const light = mode === "light";
  const soft = mix(theme, neutrals.surface, light ? 0.1 : 0.16);
  const direction = light ? "darker" : "lighter";
  const behind = [neutrals.canvas, neutrals.surface, neutrals.raised, neutrals.muted, soft];
  const action = readable(theme, direction, behind, AIM);
  return {
    ...neutrals,
    theme,
    action,
    link: readable(mix(action, neutrals.text, 0.4), direction, behind, AIM),
    // Hovering moves the colour away from the background, so the contrast does not drop.
    actionHover: lighten(action, light ? -0.05 : 0.05),
    actionPressed: lighten(action, light ? -0.1 : 0.09),
    onAction: textOn(action),
    onDanger: textOn(neutrals.danger),
    actionSoft: soft,
    actionLine: mix(theme, neutrals.surface, light ? 0.45 : 0.5),
  };
}

export function applyPalette(mode: Mode, theme: string): void {
  for (const [name, value] of Object.entries(customProperties(palette(mode, theme)))) {
    document.documentElement.style.setProperty(name, value);
  }
}

export function customProperties(colours: Palette): Record<string, string> {
  return Object.fromEntries(
    Object.entries(colours).map(([name, value]) => [
      `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]),
  );
}
