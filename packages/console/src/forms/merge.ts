/** Merges the input of one operator into the version that another has saved meanwhile (behaviour §3). */
import { isSameInput } from "./draft.ts";
import type { Fields } from "./draft.ts";

export interface TheirChange {
  readonly name: string;
  /** Row of a grid, and its name. */
  readonly place?: number;
  readonly title?: string;
  readonly before: unknown;
  /** The operator's own value; equal to `theirs` if there is nothing to choose. */
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Both changed the field, to different values: the operator's own is kept until theirs is chosen. */
  readonly kept: boolean;
}

export interface Merged {
  readonly values: Fields;
  readonly changes: readonly TheirChange[];
}

export type Merge = (base: Fields, mine: Fields, theirs: Fields) => Merged;

/**
 * `base` is the version that both started from, `mine` the form, `theirs` the saved version. Fields changed in the form keep
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
