/** Formats numbers for tables. Amounts stay texts, because fractions are never calculated as floating-point numbers. */
import { formatCents, grouped, parseCents } from "@red/contract/platform/money";

export { grouped };

/**
 * Formats a share (0 … 1) in percent with two decimals. Below 0.01 % it shows four digits, so a rare prize never shows
 * 0.00 %.
 */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) {
    return `${Number(value.toPrecision(4))}%`;
  }
  return `${value.toFixed(2)}%`;
}

/** Formats a share as odds, such as `1/8` or `1/3.3`. Returns "" for 0 and for a share of at least one half. */
export function odds(share: number): string {
  if (share <= 0 || share >= 0.5) {
    return "";
  }
  const times = 1 / share;
  return `1/${times < 10 ? Number(times.toFixed(1)) : grouped(Math.round(times))}`;
}

/** Formats the cost of this many draws as before → after. */
export function costChange(before: string, after: string, draws = 1): string {
  return [before, after]
    .map((cost) => grouped(formatCents(BigInt(parseCents(cost) ?? 0) * BigInt(draws))))
    .join(" → ");
}

export const NOTHING = "--";
