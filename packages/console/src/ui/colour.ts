/** Calculates with colours as sRGB hex. Contrast follows WCAG 2.2, and lightness follows OKLab. */
import { FastColor } from "@ant-design/fast-color";

type Oklab = readonly [lightness: number, a: number, b: number];

function toLinear(channel: number): number {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  const channel = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(channel * 255);
}

/** Returns the contrast ratio, from 1 to 21. */
export function contrast(first: string, second: string): number {
  const lights = [first, second].map((hex) => new FastColor(hex).getLuminance() + 0.05);
  return Math.max(...lights) / Math.min(...lights);
}

/** Mixes `share` (0 … 1) of the first colour into the second colour. */
export function mix(first: string, second: string, share: number): string {
  return new FastColor(second).mix(first, share * 100).toHexString();
}

/* Converts to OKLab by Björn Ottosson. Equal steps of its lightness (0 … 1) look equal. */
function toOklab(hex: string): Oklab {
  const { r, g, b } = new FastColor(hex);
  const [red, green, blue] = [toLinear(r), toLinear(g), toLinear(b)];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab([lightness, a, b]: Oklab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return new FastColor({
    r: fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  }).toHexString();
}

/** Adds `step` (−1 … 1) to the lightness. Hue and chroma do not change. */
export function lighten(hex: string, step: number): string {
  const [lightness, a, b] = toOklab(hex);
  return fromOklab([Math.min(1, Math.max(0, lightness + step)), a, b]);
}

const STEP = 0.005;

/**
 * Returns the nearest darker or lighter shade of `hex` whose contrast with every colour in `against` is at least
 * `least`. If no shade has this contrast, returns black or white.
 */
export function readable(
  hex: string,
  direction: "darker" | "lighter",
  against: readonly string[],
  least: number,
): string {
  const sign = direction === "darker" ? -1 : 1;
  for (let step = 0; step <= 1; step += STEP) {
    const shade = lighten(hex, sign * step);
    if (against.every((other) => contrast(shade, other) >= least)) {
      return shade;
    }
  }
  return direction === "darker" ? "#000000" : "#ffffff";
}
