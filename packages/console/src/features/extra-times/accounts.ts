/** Reads accounts from a pasted list. */

interface Accounts {
  /** Each account once, in the order of the list. */
  readonly names: readonly string[];
  /** Those that the list has more than once. */
  readonly doubled: readonly string[];
}

/** One per line, or parted by commas, semicolons (also full-width ones), tabs or spaces. */
export function accountsOf(text: string): Accounts {
  const all = text.split(/[\s,;，；、]+/u).filter((name) => name !== "");
  const seen = new Set<string>();
  const doubled = new Set<string>();
  for (const name of all) {
    (seen.has(name) ? doubled : seen).add(name);
  }
  return { names: [...seen], doubled: [...doubled] };
}
