/** Kinds of numbers and codes: what each must take and must refuse. */
import type { TextKey } from "@red/contract/texts-zh";
import {
  BLANK,
  cases,
  LISTS_AND_OBJECTS,
  NOTHING,
  textIn,
  texts,
  UNPRINTABLE,
  WRONG,
} from "#test/contract-cases";
import type { Against, Expectation, Kind } from "#test/contract-cases";
import { ODD_NUMBERS, ODD_NUMBER_TEXTS, SPACED_NUMBERS } from "#test/contract-corpus";
import type { Odd } from "#test/contract-corpus";

interface Range {
  readonly min: number;
  readonly max: number;
  /** Said of nothing at all. */
  readonly missing?: TextKey;
  readonly isOptional?: boolean;
}

/**
 * The whole number that is written, as near as a double comes to it; null for what is none. What a double
 * does not hold exactly lies beyond every range, and so does what has a sign: spec, digits only.
 */
function wholeIn(json: string): number | null {
  if (json.startsWith('"')) {
    const text = textIn(json);
    return /^(?:\d|-0*[1-9])\d*$/.test(text) ? Number(text) : null;
  }
  const value = Number(json);
  return Number.isInteger(value) ? value : null;
}

/** A whole number as a number or as digits. */
export function whole(
  range: Range,
  take: (kept: number) => Expectation = (kept) => ({ kept }),
): Kind {
  const { min, max, missing = "required", isOptional = false } = range;
  const edges = [min - 1, min, max, max + 1].flatMap((edge): Odd[] => [
    { label: `edge ${edge}`, json: String(edge) },
    { label: `edge "${edge}"`, json: `"${edge}"` },
  ]);
  const odds = [...ODD_NUMBERS, ...ODD_NUMBER_TEXTS, ...SPACED_NUMBERS, ...edges];
  const [absent, ...others] = cases(NOTHING, () => ({ refuse: missing }));
  return [
    ...(absent === undefined ? [] : [isOptional ? { ...absent, expect: {} } : absent]),
    ...others,
    ...cases([...BLANK, ...WRONG.filter(({ json }) => json !== "7")], () => ({
      refuse: "not_a_number",
    })),
    ...cases(odds, ({ json }) => {
      const value = wholeIn(json);
      if (value === null) {
        return { refuse: "not_a_number" };
      }
      return value >= min && value <= max
        ? take(value === 0 ? 0 : value)
        : { refuse: "out_of_range", values: { min, max } };
    }),
  ];
}

/** An id that must be there: any other one finds nothing. */
export function knownId(unknown: Against): Kind {
  return whole({ min: 1, max: Number.MAX_SAFE_INTEGER }, () => unknown);
}

const AMOUNT = /^(?:0|[1-9]\d{0,9})(?:\.\d{1,2})?$/;

/** `"8.8"` → `"8.80"`; null for what is no amount. */
function amountIn(json: string): string | null {
  const text = json.startsWith('"') ? textIn(json).trim() : String(Number(json));
  if (!AMOUNT.test(text)) {
    return null;
  }
  const [units = "0", cents = ""] = text.split(".", 2);
  return `${units}.${cents.padEnd(2, "0")}`;
}

interface AmountRange {
  /** Decimal texts, as the refusal writes them. */
  readonly min: string;
  readonly missing: TextKey;
}

/** An amount of money with at most two places, as text or number. */
export function amount(
  { min, missing }: AmountRange,
  take: (kept: string) => Expectation = (kept) => ({ kept }),
): Kind {
  const max = "9999999999.99";
  const edges: Odd[] = ["9999999999.99", "10000000000", "0.01", "0.00", "0.009", "00.5"].map(
    (edge) => ({ label: `edge "${edge}"`, json: `"${edge}"` }),
  );
  const odds = [...ODD_NUMBERS, ...ODD_NUMBER_TEXTS, ...SPACED_NUMBERS, ...edges];
  return [
    ...cases([...NOTHING, ...BLANK], () => ({ refuse: missing })),
    ...cases([...LISTS_AND_OBJECTS, ...texts({ word: "abc" })], () => ({
      refuse: "not_an_amount",
    })),
    ...cases(odds, ({ json }) => {
      const value = amountIn(json);
      if (value === null) {
        return { refuse: "not_an_amount" };
      }
      return Number(value) >= Number(min)
        ? take(value)
        : { refuse: "out_of_range", values: { min, max } };
    }),
  ];
}

/** An amount of a platform call: as text only. */
export function platformAmount(
  min: string,
  take: (kept: string) => Expectation = (kept) => ({ kept }),
): Kind {
  return amount({ min, missing: "not_an_amount" }, take).map((one) =>
    Number.isNaN(Number(one.json ?? "none"))
      ? one
      : { ...one, expect: { refuse: "amount_not_text" } },
  );
}

interface Codes {
  readonly values: readonly number[];
  readonly missing?: TextKey;
  /** Said of any other. */
  readonly other?: TextKey;
  readonly isOptional?: boolean;
}

/** One of a few codes, as text or number. */
export function code(
  { values, missing = "required", other = "not_in_set", isOptional = false }: Codes,
  take: (kept: number) => Expectation = (kept) => ({ kept }),
): Kind {
  const good = values.flatMap((value): Odd[] => [
    { label: `code ${value}`, json: String(value) },
    { label: `code "${value}"`, json: `"${value}"` },
  ]);
  const taken = new Set(good.map(({ json }) => json));
  const numbers = ODD_NUMBERS.filter(({ json }) => !taken.has(json));
  const others = ODD_NUMBER_TEXTS.filter(({ json }) => !taken.has(json));
  const [absent, ...nothing] = cases(NOTHING, () => ({ refuse: missing }));
  return [
    ...(absent === undefined ? [] : [isOptional ? { ...absent, expect: {} } : absent]),
    ...nothing,
    ...cases(good, ({ json }) => take(Number(json.replaceAll('"', "")))),
    ...cases(numbers, ({ json }) =>
      values.includes(Number(json)) ? take(Number(json) + 0) : { refuse: other },
    ),
    ...cases(
      [
        ...others,
        ...SPACED_NUMBERS,
        ...BLANK,
        ...WRONG.filter(({ json }) => !taken.has(json)),
        ...UNPRINTABLE,
      ],
      ({ json }) => (values.includes(Number(json)) ? take(Number(json)) : { refuse: other }),
    ),
  ];
}
