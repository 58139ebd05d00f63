/**
 * Two operators on the same form: what the one has entered goes on top of what the other has saved
 * meanwhile (behaviour §3).
 */
import { isSameInput } from "./draft.ts";
import type { Fields } from "./draft.ts";

/** One field that the other operator has changed. */
export interface TheirChange {
  readonly name: string;
  readonly before: unknown;
  readonly now: unknown;
  /** It was changed here too, to something else, which stays. */
  readonly kept: boolean;
}

interface Merged {
  readonly values: Fields;
  /** In the order of the form's fields. */
  readonly changes: readonly TheirChange[];
}

/**
 * `base` is what both began with, `mine` what the form holds, `theirs` what is saved now. A field that was
 * changed here keeps what was entered; every other one takes what is saved.
 */
export function mergeInput(base: Fields, mine: Fields, theirs: Fields): Merged {
  const differ = (name: string, one: Fields, other: Fields) =>
    !isSameInput({ [name]: one[name] }, { [name]: other[name] });
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
        now: theirs[name],
        kept: differ(name, mine, base) && differ(name, mine, theirs),
      })),
  };
}
