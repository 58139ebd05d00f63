/** Kinds of times, flags and lists of ids: what each must take and must refuse. */
import type { TextKey } from "@red/contract/texts-zh";
import { BLANK, cases, NOTHING, texts, WRONG } from "#test/contract-cases";
import type { Against, Expectation, Kind } from "#test/contract-cases";
import { NO_DATE_TIMES, NO_INSTANTS } from "#test/contract-corpus";

/** Real days and times of a year that is not taken. */
const OTHER_YEARS = /^(?:0000-01|0001-01|1969-12|9999-\d\d)-\d\d(?: \d\d:\d\d:\d\d)?$/;

function noDate(texts: readonly string[], refuse: TextKey): Kind {
  return texts.map((text) => ({
    label: text,
    json: JSON.stringify(text),
    expect: OTHER_YEARS.test(text)
      ? { refuse: "year_out_of_range", values: { min: 1970, max: 9998 } }
      : { refuse },
  }));
}

/** Clock readings in the business time zone; `good` are right beside the call's other fields. */
export function dateTime(missing: TextKey, good: readonly string[]): Kind {
  return [
    ...cases([...NOTHING, ...WRONG], () => ({ refuse: missing })),
    ...cases(BLANK, () => ({ refuse: "not_a_date_time" })),
    ...noDate(NO_DATE_TIMES, "not_a_date_time"),
    ...good.map((text) => ({ label: text, json: JSON.stringify(text), expect: { kept: text } })),
  ];
}

const NO_DATES = [
  "2026-02-30",
  "2026-13-01",
  "2025-02-29",
  "2026-1-2",
  "2026/11/20",
  "20261120",
  "26-11-20",
  "0000-00-00",
  "1969-12-31",
  "9999-01-01",
  "2026-11-20 00:00:00",
  " 2026-11-20",
  "2026-11-20\n",
  "today",
];

/** Business days; `good` are right beside the call's other fields. */
export function date(missing: TextKey, good: readonly string[]): Kind {
  return [
    ...cases([...NOTHING, ...WRONG], () => ({ refuse: missing })),
    ...cases(BLANK, () => ({ refuse: "not_a_date" })),
    ...noDate(NO_DATES, "not_a_date"),
    ...good.map((text) => ({ label: text, json: JSON.stringify(text), expect: { kept: text } })),
  ];
}

/** Instants as platforms write them, by what is kept of them. */
const INSTANTS: Readonly<Record<string, string>> = {
  "2024-05-10T04:00:00Z": "2024-05-10T04:00:00.000Z",
  "2024-05-10T12:00:00+08:00": "2024-05-10T04:00:00.000Z",
  "2024-05-09T22:00:00-06:00": "2024-05-10T04:00:00.000Z",
  "2024-05-10T09:45:00.5+05:45": "2024-05-10T04:00:00.500Z",
  "2024-05-10T04:00:00.123456789Z": "2024-05-10T04:00:00.123Z",
  "2024-02-29T23:59:59.999Z": "2024-02-29T23:59:59.999Z",
  "2020-01-01T00:00:00Z": "2020-01-01T00:00:00.000Z",
};

/** An RFC 3339 instant. */
export function instant(take: (kept: string) => Expectation = (kept) => ({ kept })): Kind {
  return [
    ...cases([...NOTHING, ...BLANK, ...WRONG], () => ({ refuse: "not_an_instant" })),
    ...cases(
      NO_INSTANTS.map((text) => ({ label: text, json: JSON.stringify(text) })),
      () => ({ refuse: "not_an_instant" }),
    ),
    ...Object.entries(INSTANTS).map(([text, kept]) => ({
      label: text,
      json: JSON.stringify(text),
      expect: take(kept),
    })),
  ];
}

interface IdList {
  /** Said of nothing, and of what is no list of ids. */
  readonly missing: TextKey;
  /** What becomes of ids that are none of the right ones. */
  readonly unknown: Against;
  readonly isOptional?: boolean;
  /** An id by itself is good too. */
  readonly isSingleGood?: boolean;
}

const NO_IDS = [
  "true",
  "{}",
  "[[]]",
  "[{}]",
  "[null]",
  '["a"]',
  "[1.5]",
  '["1.5"]',
  '["-1"]',
  '[""]',
  "[1e400]",
  "[1,null]",
  '"abc"',
  '"1,,2"',
  '","',
  '"1, 2"',
  '"1;2"',
  '"1,"',
  '"１"',
  '"1,2\\u0000"',
  '"-1"',
  '"1.5"',
  '"[1]"',
  "1.5",
  "9007199254740993",
];

/** Ids as a list, or as one text with commas. */
export function idList({ missing, unknown, isOptional, isSingleGood }: IdList): Kind {
  const tokens = (list: readonly string[]) => list.map((json) => ({ label: json, json }));
  const many = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
  const range = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const [absent, ...nothing] = cases(NOTHING, () => ({ refuse: missing }));
  return [
    ...(absent === undefined ? [] : [isOptional === true ? { ...absent, expect: {} } : absent]),
    ...nothing,
    ...cases(tokens(["[]"]), () => ({ refuse: missing })),
    ...cases(tokens(NO_IDS), () => ({ refuse: "not_id_list" })),
    ...cases(tokens(["[0]", "[-1]", '"0"', '["0"]']), () => ({
      refuse: "out_of_range",
      values: range,
      at: "0",
    })),
    ...cases(tokens(["[9007199254740993]", '["9007199254740993"]', '"9007199254740993"']), () => ({
      refuse: "out_of_range",
      values: range,
      at: "0",
    })),
    ...cases(tokens(["[1,0]", '"1,0"']), () => ({
      refuse: "out_of_range",
      values: range,
      at: "1",
    })),
    ...cases(
      tokens(["[1]", '["1"]', '"1"', '"1,2"', "[1,1]", '["007"]', "[9007199254740991]"]),
      () => unknown,
    ),
    ...cases(tokens(["7"]), () => (isSingleGood === true ? unknown : { refuse: "not_id_list" })),
    {
      label: "10,001 ids",
      json: JSON.stringify(many(10_001)),
      expect: { refuse: "too_many", values: { max: 10_000 } },
    },
    {
      label: "10,001 ids as text",
      json: JSON.stringify(many(10_001).join(",")),
      expect: { refuse: "too_many", values: { max: 10_000 } },
    },
    { label: "10,000 ids", json: JSON.stringify(many(10_000)), expect: unknown },
  ];
}

/** True or false, or nothing at all. */
export function flag(): Kind {
  return [
    { label: "absent", json: null, expect: {} },
    { label: "true", json: "true", expect: { kept: true } },
    { label: "false", json: "false", expect: { kept: false } },
    ...cases(
      [
        ...NOTHING.slice(1),
        ...BLANK,
        ...WRONG.filter(({ json }) => !/^(?:true|false)$/.test(json)),
        ...texts({ "word true": "true", "word yes": "yes" }),
        { label: "0", json: "0" },
        { label: "1", json: "1" },
      ],
      () => ({ refuse: "not_in_set" }),
    ),
  ];
}
