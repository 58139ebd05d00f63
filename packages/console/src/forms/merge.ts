/** Merges the input of one operator into the version that another operator has saved meanwhile (behaviour §3). */
import { isSameInput } from "./draft.ts";
import type { Fields } from "./draft.ts";

export interface TheirChange {
  readonly name: string;
  /** Index and name of the grid row, if the value belongs to a grid. */
  readonly place?: number;
  readonly title?: string;
  readonly before: unknown;
  /** Value of the operator who edits. It is equal to `theirs` if there is nothing to choose. */
  readonly mine: unknown;
  readonly theirs: unknown;
  /**
   * True if both operators changed the field to different values. The form then keeps the operator's own value until
   * the operator chooses `theirs`.
   */
  readonly kept: boolean;
}

export interface Merged {
  readonly values: Fields;
  readonly changes: readonly TheirChange[];
}

export type Merge = (base: Fields, mine: Fields, theirs: Fields) => Merged;

/**
 * Merges field by field. `base` is the version that both operators started from, `mine` the form and `theirs` the saved
 * version. A field changed in the form keeps its input; any other field takes the saved value.
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
