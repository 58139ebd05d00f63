/** Kinds of fields: accepted values at the bounds, and rejected values with the message for each. */
import type { TextValues } from "@red/contract/platform/errors";
import type { TextKey } from "@red/contract/platform/texts";

type Bad = readonly [input: unknown, key: TextKey, values?: TextValues, at?: string];

export interface Kind {
  readonly good: readonly unknown[];
  readonly bad: readonly Bad[];
}

const SAFE = Number.MAX_SAFE_INTEGER;
export const BILLION = 1_000_000_000;

function all(inputs: readonly unknown[], key: TextKey): Bad[] {
  return inputs.map((input) => [input, key]);
}

export const nothing = (key: TextKey) => all([undefined, null, ""], key);

export function optional({ good, bad }: Kind, ...inputs: readonly unknown[]): Kind {
  const taken = [undefined, ...inputs];
  return { good: [...good, ...taken], bad: bad.filter(([input]) => !taken.includes(input)) };
}

export function trimmed(max: number, missing: TextKey): Kind {
  return {
    good: ["红".repeat(max), ` ${"x".repeat(max)} `],
    bad: [
      ...all([undefined, null, "", " ", 7], missing),
      ["x".repeat(max + 1), "too_long", { max }],
      ["a\u0000", "bad_characters"],
    ],
  };
}

export function named(missing: TextKey): Kind {
  const { good, bad } = trimmed(64, missing);
  return { good, bad: [...bad, ["a\u200bb", "invisible_character", { character: "U+200B" }]] };
}

export function keyed(missing: TextKey, key: string): Kind {
  const { good, bad } = trimmed(64, missing);
  return {
    good: [...good.slice(1), key],
    bad: [...bad, ...all(["a b", "周", "a/b"], "bad_characters")],
  };
}

export const external: Kind = {
  good: ["x".repeat(64), " a "],
  bad: [
    ...nothing("required"),
    [7, "not_a_text"],
    ["x".repeat(65), "too_long", { max: 64 }],
    ["a\u0000", "bad_characters"],
  ],
};

export const note: Kind = {
  good: [undefined, "", "x".repeat(200)],
  bad: [
    ...all([null, 7], "not_a_text"),
    ["x".repeat(201), "too_long", { max: 200 }],
    ["a\u0000", "bad_characters"],
  ],
};
export const nullableNote = optional(note, null);

/** A text that the server compares but does not store. */
export const passing: Kind = { good: [undefined, null, "", "x"], bad: [[7, "not_a_text"]] };

export function whole(min: number, max: number, missing: TextKey = "required"): Kind {
  const range = { min, max };
  return {
    good: [min, max, String(max)],
    bad: [
      ...nothing(missing),
      [min - 1, "out_of_range", range],
      [max + 1, "out_of_range", range],
      ...all([1.5, "x"], "not_a_number"),
    ],
  };
}

export const countOrNone = (max: number) => optional(whole(1, max), null, "");

export const anId = whole(1, SAFE);
export const optionalId = optional(anId);

export function codes(
  values: readonly number[],
  missing: TextKey = "required",
  other: TextKey = "not_in_set",
): Kind {
  return {
    good: [...values, ...values.map(String)],
    bad: [...nothing(missing), ...all([-1, 99, "x", true], other)],
  };
}

const TOO_LARGE = ["10000000000", "1.005", "-1", "x"];

export function amount(missing: TextKey): Kind {
  return {
    good: ["9999999999.99", 8.88],
    bad: [...nothing(missing), ...all(TOO_LARGE, "not_an_amount")],
  };
}

export function decimal(min: "0.00" | "0.01"): Kind {
  const range = { min, max: "9999999999.99" };
  return {
    good: ["9999999999.99", min],
    bad: [
      ...all([undefined, null, "", ...TOO_LARGE], "not_an_amount"),
      [8.88, "amount_not_text"],
      ...(min === "0.00" ? [] : [["0", "out_of_range", range] as const]),
    ],
  };
}

export const YEARS = { min: 1970, max: 9998 };

export function dateTime(missing: TextKey, ...good: string[]): Kind {
  return {
    good,
    bad: [
      ...nothing(missing),
      [7, missing],
      ["2026-11-31 00:00:00", "not_a_date_time"],
      ["1969-12-31 00:00:00", "year_out_of_range", YEARS],
    ],
  };
}

export const instant: Kind = {
  good: ["2024-05-10T12:00:00+08:00"],
  bad: all([undefined, null, "", 7, "2024-05-10 12:00:00"], "not_an_instant"),
};

const MANY = Array.from({ length: 10_001 }, (_, at) => at + 1);

export function ids(missing: TextKey): Kind {
  return {
    good: [[1], ["1"], "1,2", MANY.slice(1)],
    bad: [
      ...nothing(missing),
      [[], missing],
      ...all([true, ["x"], "1,,2"], "not_id_list"),
      [[1, 0], "out_of_range", { min: 1, max: SAFE }, "1"],
      [MANY, "too_many", { max: 10_000 }],
      [MANY.join(","), "too_many", { max: 10_000 }],
    ],
  };
}

/** A list of words from a fixed set, with at least one word. */
export function some(missing: TextKey, ...good: unknown[]): Kind {
  const bad = [undefined, null, [], "x"];
  return { good: [good], bad: [...all(bad, missing), [["none"], "not_in_set", {}, "0"]] };
}

export function oneOf(...values: string[]): Kind {
  return { good: values, bad: all([undefined, null, 7, "", "x", "Paid"], "not_in_set") };
}

export function rows(max: number): Kind {
  return {
    good: [[], [7]],
    bad: [
      ...all([undefined, null], "required"),
      ...all(["x", {}], "not_a_list"),
      [Array.from({ length: max + 1 }), "too_many", { max }],
    ],
  };
}

export const accounts: Kind = {
  good: [["x".repeat(64)]],
  bad: [
    ...all([undefined, null, "", "x", {}, []], "enter_account"),
    [[" "], "enter_account", {}, "0"],
    [["x".repeat(65)], "too_long", { max: 64 }, "0"],
    [MANY.map(String), "too_many", { max: 10_000 }],
  ],
};
export const expiries: Kind = {
  good: [undefined, [null], ["9998-12-31 23:59:59"]],
  bad: [
    ...all([null, "", {}, [], [null, null]], "expiry_for_each"),
    [[7], "choose_expiry", {}, "0"],
    [["soon"], "not_a_date_time", {}, "0"],
  ],
};

export const downloadPath: Kind = {
  good: ["/gred/api/prize/export"],
  bad: [
    [undefined, "required"],
    ...all([null, 7], "not_a_text"),
    ...all(["", " ", "a", "http://example.org/"], "not_in_set"),
    [`/${"x".repeat(200)}`, "too_long", { max: 200 }],
    ["/a\u0000", "bad_characters"],
  ],
};
export const filters: Kind = {
  good: [{}, { a: "x".repeat(500) }],
  bad: [
    ...all([undefined, null], "required"),
    ...all([7, "x", []], "not_an_object"),
    [{ a: 7 }, "not_a_text", {}, "a"],
    [{ a: "x".repeat(501) }, "too_long", { max: 500 }, "a"],
  ],
};

export const password: Kind = {
  good: [" ", "x".repeat(1024)],
  bad: [...nothing("enter_password"), ["x".repeat(1025), "too_long", { max: 1024 }]],
};
export const hash: Kind = {
  good: ["a".repeat(64)],
  bad: [
    ...all([undefined, null, 7], "not_a_text"),
    ...all(["", "x", "A".repeat(64), "a".repeat(65)], "not_in_set"),
  ],
};
export const flag: Kind = {
  good: [undefined, true, false],
  bad: all([null, "true", 0, ""], "not_in_set"),
};
