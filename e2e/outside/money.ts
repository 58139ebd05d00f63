/** Amounts in whole cents as BigInt, independent of the packages' arithmetic. */

/** `"8.88"` → 888n; throws on any other format. */
export function cents(text: string): bigint {
  if (!/^\d+\.\d\d$/.test(text)) {
    throw new Error(`not an amount with two places: ${text}`);
  }
  return BigInt(text.replace(".", ""));
}

/** 888n → `"8.88"`. */
export function decimal(amount: bigint): string {
  return `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
}

export function sumOf(amounts: Iterable<string>): string {
  let sum = 0n;
  for (const amount of amounts) {
    sum += cents(amount);
  }
  return decimal(sum);
}
