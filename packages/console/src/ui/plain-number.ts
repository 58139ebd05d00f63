/**
 * A number without what others decorate it with and what changes nothing of it: spaces around it and between
 * its thousands, commas between its thousands, full-width characters. Any other text stays as it is.
 */
export function plainNumber(text: string): string {
  const plain = text.normalize("NFKC").trim();
  return GROUPED.test(plain) ? plain.replaceAll(/[,\s]/g, "") : plain;
}

/** The same of an amount, also without the currency that it was copied with: `¥88`, `1,200.50元`. */
export function plainAmount(text: string): string {
  const [, number] = PRICED.exec(text.normalize("NFKC").trim()) ?? [];
  return plainNumber(number ?? text);
}

const PRICED = /^¥?([\d.,\s]+)元?$/;

/** `1,000` and `12 000.50`: groups of three, all parted by the same. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+|(?:\s\d{3})+)(?:\.\d*)?$/;
