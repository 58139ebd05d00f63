/** Removes spaces, thousands separators and full-width characters from a number. Returns any other text unchanged. */
export function plainNumber(text: string): string {
  const plain = text.normalize("NFKC").trim();
  return GROUPED.test(plain) ? plain.replaceAll(/[,\s]/g, "") : plain;
}

/** Like `plainNumber`, but also removes the currency of `¥88` or `1,200.50元`. */
export function plainAmount(text: string): string {
  const [, number] = PRICED.exec(text.normalize("NFKC").trim()) ?? [];
  return plainNumber(number ?? text);
}

const PRICED = /^¥?([\d.,\s]+)元?$/;

/** Matches `1,000` and `12 000.50`: groups of three digits with one kind of separator. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+|(?:\s\d{3})+)(?:\.\d*)?$/;
