/** Two operators edit the same thing: merges one's input into what the other has saved (behaviour §3). */
import { isSameInput } from "./draft.ts";
import type { Fields } from "./draft.ts";

export interface TheirChange {
  readonly name: string;
  /** Row of a grid, and what it is called. */
  readonly place?: number;
  readonly title?: string;
  readonly before: unknown;
  /** What the other one can be put back to; the same if there is no choice. */
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Changed here too, to another value, which is kept until the other one is chosen. */
  readonly kept: boolean;
}

export interface Merged {
  readonly values: Fields;
  readonly changes: readonly TheirChange[];
}

export type Merge = (base: Fields, mine: Fields, theirs: Fields) => Merged;

/**
 * `base` is what both started from, `mine` the form, `theirs` the saved version. Fields changed here keep
 * their input; the others take the saved value.
 */
export function mergeInput(base: Fields, mine: Fields, theirs: Fields): Merged {
  const differ = (name: string, first: Fields, second: Fields) =>
    !isSameInput({ [name]: first[name] }, { [name]: second[name] });
  const names = [...new Set([base, mine, theirs].flatMap((fields) => Object.keys(fields)))];
  return {
    values: Object.fromEntries(
      names.map((name) => [name, (differ(name, mine, base) ? mine : theirs)[name]]),
    ),
    changes: names
      .filter((name) => differ(name, theirs, base))
      .map((name) => ({
        name,
        before: base[name],
        mine: mine[name],
        theirs: theirs[name],
        kept: differ(name, mine, base) && differ(name, mine, theirs),
      })),
  };
}
