/** Takes a player's names out of texts (behaviour §3). Pure. */

/** Inside longer words a name is another's: "p1" is no part of "p12". */
const IN_WORD = String.raw`[\p{L}\p{N}_-]`;

/** Replaces each of `names`, whatever its capitals, where it stands as a word of its own. */
export function cutNames(text: string, names: readonly string[], instead: string): string {
  const words = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const pattern = new RegExp(`(?<!${IN_WORD})(?:${words.join("|")})(?!${IN_WORD})`, "giu");
  return text.replace(pattern, () => instead);
}

/** The same for every text in a value of JSON, keys left out. */
export function cutNamesInJson(json: string, names: readonly string[], instead: string): string {
  return JSON.stringify(JSON.parse(json), (_, value: unknown) =>
    typeof value === "string" ? cutNames(value, names, instead) : value,
  );
}
