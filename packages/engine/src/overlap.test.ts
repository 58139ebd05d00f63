import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sharedThings } from "./overlap.ts";
import type { OverlapRound } from "./overlap.ts";

const at = (time: string) => Date.parse(`2026-11-${time.replace(" ", "T")}Z`);

/** A round over deposits: it counts them on the 20th, and players draw that evening. */
const EVENING: OverlapRound = {
  pool_name: "周末池",
  tag: "weekend",
  condition_name: "2",
  platforms: null,
  achieve_start_ms: at("20 00:00:00"),
  achieve_end_ms: at("20 23:59:59"),
  start_ms: at("20 20:00:00"),
  end_ms: at("20 22:00:00"),
};
const NEXT_DAY = {
  achieve_start_ms: at("21 00:00:00"),
  achieve_end_ms: at("21 23:59:59"),
  start_ms: at("21 20:00:00"),
  end_ms: at("21 22:00:00"),
};
const ALONE = { pool_name: "另一池", tag: "dragon", condition_name: "0" } as const;

describe("two rounds share", () => {
  test.each([
    ["everything with one like itself", {}, ["pool", "tag", "deposits"]],
    ["nothing on another day", NEXT_DAY, []],
    ["nothing where pool, group and data differ", ALONE, []],
    ["the pool alone", { ...ALONE, pool_name: "周末池" }, ["pool"]],
    ["the group alone", { ...ALONE, tag: "weekend" }, ["tag"]],
    ["deposits alone", { ...ALONE, condition_name: "2" }, ["deposits"]],
    ["no bets with deposits", { ...ALONE, condition_name: "1" }, []],
    ["nothing counted without a limit", { ...EVENING, condition_name: "0" }, ["pool", "tag"]],
    [
      "deposits of one window, though drawn on different days",
      { ...NEXT_DAY, achieve_start_ms: at("20 12:00:00") },
      ["deposits"],
    ],
    [
      "the pool while both are drawn, though counted on different days",
      { ...EVENING, ...NEXT_DAY, start_ms: at("20 21:00:00") },
      ["pool", "tag"],
    ],
    [
      "the last second, which an end includes",
      { ...EVENING, ...NEXT_DAY, start_ms: EVENING.end_ms },
      ["pool", "tag"],
    ],
    [
      "nothing from the second after it on",
      { ...EVENING, ...NEXT_DAY, start_ms: EVENING.end_ms + 1_000 },
      [],
    ],
  ] as const)("%s", (_, changes, expected) => {
    expect(sharedThings(EVENING, { ...EVENING, ...changes })).toEqual(expected);
  });

  test.each<[OverlapRound["platforms"], OverlapRound["platforms"], readonly string[]]>([
    [null, null, ["bets"]],
    [[1234], null, ["bets"]],
    [null, [1234], ["bets"]],
    [[1234, 3234], [3234, 7234], ["bets"]],
    [[1234], [3234, 7234], []],
  ])("bets where both count bets: on %j and %j", (platforms, others, expected) => {
    const bets = { ...EVENING, condition_name: "1", platforms } as const;
    const other = { ...bets, ...ALONE, condition_name: "1", platforms: others } as const;
    expect(sharedThings(bets, other)).toEqual(expected);
  });

  const span = fc.tuple(fc.nat(20), fc.nat(20)).map(([from, length]) => [from, from + length]);
  const rounds = fc
    .record({
      pool_name: fc.constantFrom("a", "b"),
      tag: fc.constantFrom("x", "y"),
      condition_name: fc.constantFrom("0", "1", "2", "3"),
      counted: span,
      drawn: span,
    })
    .map(({ counted: [from = 0, to = 0], drawn: [start = 0, end = 0], ...rest }): OverlapRound => {
      const counted = { achieve_start_ms: from * 1_000, achieve_end_ms: to * 1_000 };
      return { ...rest, ...counted, platforms: null, start_ms: start * 1_000, end_ms: end * 1_000 };
    });

  test("what both have while their windows share one second", () => {
    const seconds = Array.from({ length: 41 }, (_, second) => second * 1_000);
    fc.assert(
      fc.property(rounds, rounds, (one, other) => {
        const both = [one, other];
        const drawn = seconds.some((at) =>
          both.every(({ start_ms, end_ms }) => start_ms <= at && at <= end_ms),
        );
        const counted = seconds.some((at) =>
          both.every((each) => each.achieve_start_ms <= at && at <= each.achieve_end_ms),
        );
        const names = both.map(({ condition_name }) => condition_name).join("");
        const shares = {
          pool: drawn && one.pool_name === other.pool_name,
          tag: drawn && one.tag === other.tag,
          deposits: counted && names === "22",
          bets: counted && names === "11",
        };
        const expected = Object.entries(shares).flatMap(([thing, is]) => (is ? [thing] : []));
        expect(sharedThings(one, other)).toEqual(expected);
      }),
    );
  });
});
