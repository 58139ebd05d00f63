/**
 * A number without what others decorate it with and what changes nothing of it: spaces around it and between
 * its thousands, commas between its thousands, full-width characters. Any other text stays as it is.
 */
export function plainNumber(text: string): string {
  const plain = text.normalize("NFKC").trim();
  return GROUPED.test(plain) ? plain.replaceAll(/[,\s]/g, "") : plain;
}

/** `1,000` and `12 000.50`: groups of three, all parted by the same. */
const GROUPED = /^\d{1,3}(?:(?:,\d{3})+|(?:\s\d{3})+)(?:\.\d*)?$/;
