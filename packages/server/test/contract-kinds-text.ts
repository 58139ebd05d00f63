/** Kinds of texts: what each must take and must refuse. */
import {
  AROUND,
  BLANK,
  cases,
  EMPTY,
  INVISIBLE,
  lengths,
  NOTHING,
  one,
  textIn,
  texts,
  TROUBLE,
  UNPRINTABLE,
  WRONG,
} from "#test/contract-cases";
import type { Against, Expectation, Kind, Words } from "#test/contract-cases";

/** What becomes of a good text. */
type Taken = (kept: string) => Expectation;

/** A required text without what is invisible around it; `inside` says what becomes of one with such inside. */
function trimmed(words: Words, take: Taken, inside: (text: string) => Expectation): Kind {
  const { max, missing } = words;
  const { fitting, long } = lengths(max);
  const padded = texts({
    "spaces around": "  padded  ",
    "as long as may be, and spaces": ` ${"y".repeat(max)} `,
    "line feed at the end": "ended\n",
  });
  return [
    ...cases([...NOTHING, ...BLANK, ...EMPTY, ...WRONG], () => ({ refuse: missing })),
    ...cases([...TROUBLE, ...fitting, ...padded], ({ json }) => take(textIn(json).trim())),
    ...cases(AROUND, ({ json }) => take(/bare\d/.exec(json)?.[0] ?? "")),
    ...cases(INVISIBLE, ({ json }) => inside(textIn(json))),
    ...cases(long, () => ({ refuse: "too_long", values: { max } })),
    ...cases(UNPRINTABLE, () => ({ refuse: "bad_characters" })),
  ];
}

/** A text that is looked for, or a reason. `take` says what becomes of a good one. */
export function trimmedText(words: Words, take: Taken = (kept) => ({ kept })): Kind {
  return trimmed(words, take, take);
}

/** A text that is kept as a name. */
export function name(words: Words, take: Taken = (kept) => ({ kept })): Kind {
  return trimmed(words, take, (text) => {
    const hidden =
      Array.from(text)
        .findLast((one) => !"ab ".includes(one))
        ?.codePointAt(0) ?? 0;
    const character = `U+${hidden.toString(16).toUpperCase().padStart(4, "0")}`;
    return { refuse: "invisible_character", values: { character } };
  });
}

/** A name that must be known: any other is good as a text, and refused all the same. */
export function knownName(words: Words, unknown: Against): Kind {
  return trimmedText(words, () => unknown);
}

/** A key of letters, digits and `more`. */
export function key(words: Words, more: RegExp, take?: Taken): Kind {
  return trimmedText(words, (kept) =>
    more.test(kept) ? (take?.(kept) ?? { kept }) : { refuse: "bad_characters" },
  );
}

/** A text of somebody else that is kept as it is. */
export function externalId(take: (kept: string) => Expectation = (kept) => ({ kept })): Kind {
  const { fitting, long } = lengths(64);
  const inner = texts({ "spaces around": " a ", "one space": " " });
  return [
    ...cases(NOTHING, () => ({ refuse: "required" })),
    ...cases(WRONG, () => ({ refuse: "not_a_text" })),
    ...cases([...TROUBLE, ...INVISIBLE, ...fitting, ...inner], ({ json }) => take(textIn(json))),
    ...cases(long, () => ({ refuse: "too_long", values: { max: 64 } })),
    ...cases(UNPRINTABLE, () => ({ refuse: "bad_characters" })),
  ];
}

/** A text that need not be there. */
export function freeText(
  max: number,
  {
    isNullGood = false,
    isEmptyNull = false,
  }: { readonly isNullGood?: boolean; readonly isEmptyNull?: boolean } = {},
): Kind {
  const { fitting, long } = lengths(max);
  return [
    ...one("absent", null, { kept: null }),
    ...one("null", "null", isNullGood ? { kept: null } : { refuse: "not_a_text" }),
    ...one("empty text", '""', { kept: isEmptyNull ? null : "" }),
    ...cases(WRONG, () => ({ refuse: "not_a_text" })),
    ...cases([...TROUBLE, ...INVISIBLE, ...fitting], ({ json }) => ({ kept: textIn(json) })),
    ...cases(long, () => ({ refuse: "too_long", values: { max } })),
    ...cases(UNPRINTABLE, () => ({ refuse: "bad_characters" })),
  ];
}

/** A text that is only there to be compared, such as a password: anything goes. */
export function secret(words: Words): Kind {
  const { fitting, long } = lengths(words.max);
  return [
    ...cases([...NOTHING, ...WRONG], () => ({ refuse: words.missing })),
    ...cases([...TROUBLE, ...INVISIBLE, ...UNPRINTABLE, ...BLANK, ...fitting], () => ({})),
    ...cases(long, () => ({ refuse: "too_long", values: { max: words.max } })),
  ];
}

/** A text, null or nothing; it is looked at and not kept. */
export function passing(): Kind {
  return [
    ...cases([...NOTHING, ...TROUBLE, ...INVISIBLE, ...UNPRINTABLE, ...BLANK], () => ({})),
    ...cases(WRONG, () => ({ refuse: "not_a_text" })),
  ];
}
