import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chancesOf, chooseChance } from "./chances.ts";
import type { UsableExtra } from "./chances.ts";

const extra = (id: number, expire_at_ms: number): UsableExtra => ({ id, expire_at_ms });

describe("the chance that a draw uses", () => {
  const round_end_ms = 1000;
  const base = { earned: 1, earned_used: 0, extras: [], round_end_ms, remain: 1 };

  test.each<[string, Partial<Parameters<typeof chooseChance>[0]>, "earned" | number | null]>([
    ["earned without extras", {}, "earned"],
    ["an extra that expires before the end", { extras: [extra(7, 999)] }, 7],
    ["earned before one that lasts", { extras: [extra(7, 1000)] }, "earned"],
    ["earned before a later one", { extras: [extra(7, 1001)] }, "earned"],
    ["the extra once all is used", { earned_used: 1, extras: [extra(7, 1001)] }, 7],
    ["the extra after a reversal", { earned: 0, earned_used: 1, extras: [extra(7, 1001)] }, 7],
    ["the earliest to expire", { extras: [extra(7, 900), extra(8, 800), extra(9, 2000)] }, 8],
    ["the lowest id of those that expire together", { extras: [extra(9, 800), extra(8, 800)] }, 8],
    ["nothing when nothing remains", { remain: 0, extras: [extra(7, 999)] }, null],
    ["nothing when there is nothing", { earned: 0 }, null],
  ])("is %s", (_name, change, expected) => {
    const chance =
      expected === null || expected === "earned"
        ? expected && { kind: expected }
        : { kind: "extra", id: expected };
    expect(chooseChance({ ...base, ...change })).toEqual(chance);
  });

  const extras = fc.uniqueArray(
    fc.record({ id: fc.nat({ max: 99 }), expire_at_ms: fc.integer({ min: 990, max: 1010 }) }),
    { selector: (extra) => extra.id, maxLength: 8 },
  );

  test("an extra time is always the earliest to expire, and its list is left alone", () => {
    const few = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(extras, few, few, few, (list, earned, earned_used, remain) => {
        const before = structuredClone(list);
        const state = { earned, earned_used, extras: list, round_end_ms, remain };
        const chance = chooseChance(state);
        expect(list).toEqual(before);
        if (chance?.kind === "extra") {
          const chosen = list.find((extra) => extra.id === chance.id);
          const first = Math.min(...list.map((extra) => extra.expire_at_ms));
          expect(chosen?.expire_at_ms).toBe(first);
          expect(first < round_end_ms || earned_used >= earned).toBe(true);
        }
        if (chance?.kind === "earned") {
          expect(earned_used).toBeLessThan(earned);
          expect(list.every((extra) => extra.expire_at_ms >= round_end_ms)).toBe(true);
        }
      }),
    );
  });

  test("drawing until nothing remains uses every chance once, in order", () => {
    fc.assert(
      fc.property(extras, fc.integer({ min: 0, max: 5 }), (list, earned) => {
        let left: UsableExtra[] = list;
        let earned_used = 0;
        const used: ("earned" | number)[] = [];
        for (;;) {
          const { remain } = chancesOf({
            earned,
            already: used.length,
            extra_unused: left.length,
            extra_used_here: list.length - left.length,
          });
          const chance = chooseChance({ earned, earned_used, extras: left, round_end_ms, remain });
          expect(chance === null).toBe(remain === 0);
          if (chance === null) {
            break;
          }
          if (chance.kind === "earned") {
            earned_used += 1;
            used.push("earned");
          } else {
            left = left.filter((extra) => extra.id !== chance.id);
            used.push(chance.id);
          }
        }
        const inOrder = list.toSorted((a, b) => a.expire_at_ms - b.expire_at_ms || a.id - b.id);
        const ids = (those: UsableExtra[]) => those.map((extra) => extra.id);
        expect(used).toEqual([
          ...ids(inOrder.filter((extra) => extra.expire_at_ms < round_end_ms)),
          ...Array.from({ length: earned }, () => "earned"),
          ...ids(inOrder.filter((extra) => extra.expire_at_ms >= round_end_ms)),
        ]);
      }),
    );
  });
});
