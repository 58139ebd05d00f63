import { grantOf, slotAfter } from "./wallet-pace.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

const START = Date.parse("2026-11-20T12:00:00.000Z");

/** Returns the times of calls that are made as early as the limit allows, in ms since the start. */
function callsMade(perSecond: number, gaps: readonly number[], wanted: number): number[] {
  const made: number[] = [];
  let now = START;
  let slot = 0;
  for (const gap of gaps) {
    now += gap;
    const count = Math.min(wanted, grantOf(perSecond, slot, now).count);
    slot = slotAfter(perSecond, slot, now, count);
    made.push(...Array<number>(count).fill(now - START));
  }
  return made;
}

function mostInASecond(made: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [last, at] of made.entries()) {
    while (at - (made[first] ?? 0) >= 1_000) {
      first += 1;
    }
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe("the pace of calls", () => {
  it("never grants more than the limit within any second", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 64 }),
        (perSecond, gaps, wanted) => {
          expect(mostInASecond(callsMade(perSecond, gaps, wanted))).toBeLessThanOrEqual(perSecond);
        },
      ),
    );
  });

  it.each([1, 7, 50, 1_000])("grants close to %i a second to a greedy caller", (perSecond) => {
    const gaps = Array<number>(10_000).fill(1);
    const made = callsMade(perSecond, gaps, 64).length;
    expect(made).toBeLessThanOrEqual(perSecond * 10 + 1);
    expect(made).toBeGreaterThanOrEqual(Math.floor(perSecond * 10 * 0.94));
  });

  it("returns how long the next call must wait", () => {
    expect(grantOf(2, 0, START)).toEqual({ count: 1, waitMs: 0 });
    const slot = slotAfter(2, 0, START, 1);
    expect(grantOf(2, slot, START)).toEqual({ count: 0, waitMs: 500 });
    expect(grantOf(2, slot, START + 500)).toEqual({ count: 1, waitMs: 0 });
    expect(grantOf(100, 0, START).count).toBe(5);
  });
});
