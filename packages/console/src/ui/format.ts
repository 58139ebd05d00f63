/** Numbers as tables show them. Amounts stay texts: there is no arithmetic with fractions. */
import { formatCents, grouped, parseCents } from "@red/contract/platform/money";

export { grouped };

/** A share 0 … 1 in percent, with two decimals. Below 0.01 % with four digits: a rare prize never shows 0.00 %. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) {
    return `${Number(value.toPrecision(4))}%`;
  }
  return `${value.toFixed(2)}%`;
}

/** A share as odds, `1/8` or `1/3.3`; empty for 0 and from one half on. */
export function odds(share: number): string {
  if (share <= 0 || share >= 0.5) {
    return "";
  }
  const times = 1 / share;
  return `1/${times < 10 ? Number(times.toFixed(1)) : grouped(Math.round(times))}`;
}

/** Cost of this many draws: before → after. */
export function costChange(before: string, after: string, draws = 1): string {
  return [before, after]
    .map((cost) => grouped(formatCents(BigInt(parseCents(cost) ?? 0) * BigInt(draws))))
    .join(" → ");
}

export const NOTHING = "--";
