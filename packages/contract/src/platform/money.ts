/**
 * Money is whole cents in the code, and a decimal string with two places in the API. One amount is a safe
 * integer; a sum of many amounts is a bigint. No code computes with fractions of a cent.
 */

/** Replaces an amount, or the middle of an account, that the reader may not see (behaviour §9). */
export const HIDDEN = "***";

/** The syntax of an amount in a request. */
export const DECIMAL = /^(0|[1-9]\d{0,9})(?:\.(\d{1,2}))?$/;

export const AMOUNT_CENTS_MAX = 999_999_999_999;

/** `"8.8"` → 880. Returns null if the text is not a plain decimal with at most ten digits and two places. */
export function parseCents(text: string): number | null {
  const match = DECIMAL.exec(text);
  if (match === null) {
    return null;
  }
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}

/** 880 → `"8.80"`. Throws RangeError if the number is not a safe integer. */
export function formatCents(cents: number | bigint): string {
  if (typeof cents === "number" && !Number.isSafeInteger(cents)) {
    throw new RangeError(`not a whole number of cents: ${cents}`);
  }
  const digits = String(cents).replace("-", "").padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * Adds up amounts: `["8.8", "0.20"]` → `"9.00"`. Returns HIDDEN if an amount is hidden. A text that is not an
 * amount counts as 0.
 */
export function sumAmounts(amounts: readonly string[]): string {
  const sum = amounts.reduce((all, amount) => all + BigInt(parseCents(amount) ?? 0), 0n);
  return amounts.includes(HIDDEN) ? HIDDEN : formatCents(sum);
}

/** 12000 → `"120"`, 12050 → `"120.50"`: the format of condition values (examples.md). */
export function formatCentsShort(cents: number): string {
  return formatCents(cents).replace(/\.00$/, "");
}

/** `"12345.60"` → `"12,345.60"`, `1284` → `"1,284"`. */
export function grouped(value: string | number): string {
  const [whole = "", fraction] = String(value).split(".");
  const digits = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}
