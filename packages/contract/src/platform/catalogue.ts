/** Converts a table of Chinese and English texts to one catalogue for each language. */

/**
 * Braces enclose the name of a value. `one` is the English form for `count` 1; Chinese has no such form. A
 * single string serves both languages.
 */
export type Said = string | readonly [zh: string, en: string, one?: string];
type Table = Readonly<Record<string, Said>>;

type Chinese<T extends Table> = {
  readonly [K in keyof T]: T[K] extends readonly [infer Z, ...unknown[]] ? Z : T[K];
};

/** Keeps the keys of the table. The English form for 1 gets the key with `_one` at its end. */
export function catalogue<const T extends Table>(texts: T) {
  const said = Object.entries<Said>(texts).map(
    ([key, text]) => [key, typeof text === "string" ? ([text, text] as const) : text] as const,
  );
  const zh = Object.fromEntries(said.map(([key, [text]]) => [key, text]));
  const en = Object.fromEntries(
    said.flatMap(([key, [, text, one]]) => [
      [key, text],
      ...(one === undefined ? [] : [[`${key}_one`, one]]),
    ]),
  );
  // The loops above lose the keys and the literal texts.
  return { zh: zh as Chinese<T>, en: en as Readonly<Record<keyof T, string>> };
}
