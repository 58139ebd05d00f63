import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deriveDraw, isSoldOut, pickPrize, weightTable } from "./draw.ts";
import type { PoolPrize, PrizePick } from "./draw.ts";

/** Makes a generator that returns the listed tickets and records the limits of its calls. */
function tickets(...wanted: number[]) {
  const asked: number[] = [];
  const random = (below: number) => {
    asked.push(below);
    return wanted[asked.length - 1] ?? Number.NaN;
  };
  return { random, asked };
}

function pick(prizes: readonly PoolPrize[], ...wanted: number[]): PrizePick | null {
  return pickPrize(weightTable(prizes), tickets(...wanted).random);
}

function prize(id: number, weight: number, left: number, floors = false): PoolPrize {
  return { id, weight, left, floors };
}

/** Returns a list with the prize id for each ticket, computed without the weight table. */
function owners(prizes: readonly PoolPrize[]): number[] {
  return prizes.flatMap(({ id, weight }) => Array.from({ length: weight }, () => id));
}

function sumOf(prizes: readonly PoolPrize[]): number {
  return prizes.reduce((sum, { weight }) => sum + weight, 0);
}

function inStock(prizes: readonly PoolPrize[]): PoolPrize[] {
  return prizes.filter(({ left }) => left > 0);
}

function poolOf(left: fc.Arbitrary<number>, floors: fc.Arbitrary<boolean>) {
  return fc
    .array(fc.record({ gap: fc.nat({ max: 3 }), weight: fc.nat({ max: 12 }), left, floors }), {
      maxLength: 7,
    })
    .map((rows) => {
      let id = 0;
      return rows.map(({ gap, ...rest }): PoolPrize => {
        id += 1 + gap;
        return { id, ...rest };
      });
    });
}

const fullPool = poolOf(fc.integer({ min: 1, max: 3 }), fc.boolean());
const anyPool = poolOf(fc.nat({ max: 2 }), fc.boolean());
const poolWithoutFloors = poolOf(fc.nat({ max: 2 }), fc.constant(false));

describe("a draw with stock", () => {
  test("maps every ticket to its prize: each prize owns exactly its weight", () => {
    fc.assert(
      fc.property(fullPool, (prizes) => {
        owners(prizes).forEach((id, ticket) => {
          const { random, asked } = tickets(ticket);
          expect(pickPrize(weightTable(prizes), random)).toEqual({
            prize_id: id,
            ticket,
            fallback_ticket: null,
            exhausted: [],
          });
          expect(asked).toEqual([sumOf(prizes)]);
        });
      }),
    );
  });

  test("keeps its edges exact up to the largest sum of weights", () => {
    const heavy = 1_000_000_000;
    const prizes = Array.from({ length: 9999 }, (_, at) => prize(at + 1, heavy, 1));
    const table = weightTable(prizes);
    const at = (ticket: number) => pickPrize(table, () => ticket)?.prize_id;
    for (const edge of [1, 2, 4999, 5000, 9998]) {
      expect([at(edge * heavy - 1), at(edge * heavy)]).toEqual([edge, edge + 1]);
    }
    expect(at(9999 * heavy - 1)).toBe(9999);
    const largest = [prize(1, WEIGHT_SUM_MAX - 1, 1), prize(2, 1, 1)];
    expect(pick(largest, WEIGHT_SUM_MAX - 2)?.prize_id).toBe(1);
    expect(pick(largest, WEIGHT_SUM_MAX - 1)?.prize_id).toBe(2);
  });

  test("sees stock changes made after the table", () => {
    const prizes = [prize(1, 1, 1), prize(2, 1, 2, true)];
    const table = weightTable(prizes);
    const given = [];
    for (let draw = 0; draw < 4; draw += 1) {
      const drawn = pickPrize(table, () => 0);
      given.push(drawn?.prize_id);
      const taken = prizes.find(({ id }) => id === drawn?.prize_id);
      if (taken !== undefined) {
        taken.left -= 1;
      }
    }
    expect(given).toEqual([1, 2, 2, undefined]);
  });
});

describe("a draw whose prize is gone", () => {
  /** Weights 5, 3, 7, 7, 9. All prizes except the first and the last are guaranteed. */
  function poolWithout(...gone: number[]): PoolPrize[] {
    return [5, 3, 7, 7, 9].map((weight, at) => {
      const id = at + 1;
      return prize(id, weight, gone.includes(id) ? 0 : 1, id !== 1 && id !== 5);
    });
  }

  test.each<[number[], number, number, number | null]>([
    [[1], 0, 3, null],
    [[1, 3], 0, 4, null],
    [[3], 8, 4, null],
    [[1, 3, 4], 0, 2, null],
    [[1, 2, 3, 4], 0, 5, 8],
  ])(
    "is replaced by the heaviest guaranteed prize, then the lowest id: without %j ticket %i gives %i",
    (gone, ticket, prize_id, fallback_ticket) => {
      const { random, asked } = tickets(ticket, 8);
      const given = pickPrize(weightTable(poolWithout(...gone)), random);
      expect(given).toEqual({ prize_id, ticket, fallback_ticket, exhausted: gone });
      // The draw asks for a second ticket only if the result depends on it.
      expect(asked).toEqual(fallback_ticket === null ? [31] : [31, 9]);
    },
  );

  test("without a guaranteed prize the weights of the rest decide, ticket by ticket", () => {
    fc.assert(
      fc.property(poolWithoutFloors, (prizes) => {
        const gone = new Set(prizes.filter(({ left }) => left === 0).map(({ id }) => id));
        const rest = inStock(prizes);
        owners(prizes).forEach((id, ticket) => {
          if (!gone.has(id)) {
            expect(pick(prizes, ticket)?.prize_id).toBe(id);
            return;
          }
          expect(sumOf(rest) > 0 || pick(prizes, ticket) === null).toBe(true);
          owners(rest).forEach((fallbackId, fallback_ticket) => {
            const { random, asked } = tickets(ticket, fallback_ticket);
            expect(pickPrize(weightTable(prizes), random)).toEqual({
              prize_id: fallbackId,
              ticket,
              fallback_ticket,
              exhausted: [...gone],
            });
            expect(asked).toEqual([sumOf(prizes), sumOf(rest)]);
          });
        });
      }),
    );
  });
});

describe("a draw that no weight decides", () => {
  test.each<[string, PoolPrize[]]>([
    ["no prizes", []],
    ["no stock", [prize(1, 5, 0), prize(2, 5, 0, true)]],
    ["stock only at weight 0", [prize(1, 5, 0), prize(2, 0, 9)]],
    ["all weights 0, none guaranteed", [prize(1, 0, 9), prize(2, 0, 9)]],
    ["all weights 0, the guaranteed gone", [prize(1, 0, 9), prize(2, 0, 0, true)]],
  ])("is sold out: %s", (_name, prizes) => {
    expect(pick(prizes, 0)).toBeNull();
    expect(isSoldOut(weightTable(prizes))).toBe(true);
  });

  test("with weights that are all 0 goes straight to the guaranteed prize", () => {
    const { random, asked } = tickets();
    const prizes = [prize(1, 0, 9), prize(2, 0, 0, true), prize(3, 0, 1, true)];
    expect(pickPrize(weightTable(prizes), random)).toEqual({
      prize_id: 3,
      ticket: 0,
      fallback_ticket: null,
      exhausted: [2],
    });
    expect(asked).toEqual([]);
  });
});

describe("any draw", () => {
  const draws = fc.record({ prizes: anyPool, first: fc.nat(), second: fc.nat() });

  function drawAt(prizes: readonly PoolPrize[], first: number, second: number) {
    let calls = 0;
    return pickPrize(weightTable(prizes), (below) => {
      calls += 1;
      return (calls === 1 ? first : second) % below;
    });
  }

  test("gives a prize with stock if there is one", () => {
    fc.assert(
      fc.property(draws, ({ prizes, first, second }) => {
        const before = structuredClone(prizes);
        const drawn = drawAt(prizes, first, second);
        expect(prizes).toEqual(before);
        const stocked = inStock(prizes);
        expect(isSoldOut(weightTable(prizes))).toBe(drawn === null);
        if (drawn === null) {
          expect(stocked.some(({ weight, floors }) => weight > 0 || floors)).toBe(false);
          return;
        }
        expect(stocked.map(({ id }) => id)).toContain(drawn.prize_id);
        expect(drawn.exhausted).toEqual(
          prizes.filter(({ left }) => left === 0).map(({ id }) => id),
        );
      }),
    );
  });

  test("can be derived again from its record", () => {
    fc.assert(
      fc.property(draws, ({ prizes, first, second }) => {
        const drawn = drawAt(prizes, first, second);
        fc.pre(drawn !== null);
        const version = prizes.map(({ id, weight, floors }) => ({ id, weight, floors }));
        const { prize_id, ticket, fallback_ticket, exhausted } = drawn;
        expect(deriveDraw(version, ticket, fallback_ticket, exhausted)).toBe(prize_id);
      }),
    );
  });

  test.each([-1, 6, 0.5, Number.NaN])("refuses a generator that gives %d of 6", (ticket) => {
    expect(() => pick([prize(1, 6, 1)], ticket)).toThrow(RangeError);
  });

  test("refuses a generator that gives a second ticket out of range", () => {
    expect(() => pick([prize(1, 6, 0), prize(2, 2, 1)], 0, 2)).toThrow(RangeError);
  });
});

describe("a derivation", () => {
  const prizes = [prize(1, 4, 9), prize(2, 3, 9), prize(3, 3, 9)];
  const withFloors = [...prizes, prize(4, 0, 9, true)];

  test.each<[string, PoolPrize[], number, number | null, number[], number | null]>([
    ["a plain ticket", prizes, 4, null, [], 2],
    ["a plain ticket while others are gone", prizes, 4, null, [1, 3], 2],
    ["a fallback ticket", prizes, 0, 3, [1], 3],
    ["a guaranteed prize", withFloors, 0, null, [1], 4],
    ["the order of the exhausted aside", prizes, 0, 2, [2, 1], 3],
    ["a ticket at the sum", prizes, 10, null, [], null],
    ["a negative ticket", prizes, -1, null, [], null],
    ["a ticket that is no whole number", prizes, 0.5, null, [], null],
    ["a fallback ticket that is missing", prizes, 0, null, [1], null],
    ["a fallback ticket at its sum", prizes, 0, 6, [1], null],
    ["a fallback ticket that is negative", prizes, 0, -1, [1], null],
    ["a fallback ticket that was not needed", prizes, 4, 0, [1], null],
    ["a fallback ticket beside a guaranteed prize", withFloors, 0, 0, [1], null],
    ["an exhausted prize of another pool", prizes, 4, null, [7], null],
    ["nothing in stock", prizes, 0, 0, [1, 2, 3], null],
    ["a ticket above 0 where all weights are 0", [prize(4, 0, 9, true)], 1, null, [], null],
    ["weights that are all 0", [prize(4, 0, 9, true)], 0, null, [], 4],
    ["an empty pool", [], 0, null, [], null],
  ])("from %s", (_name, pool, ticket, fallback, exhausted, expected) => {
    expect(deriveDraw(pool, ticket, fallback, exhausted)).toBe(expected);
  });
});

describe("a weight table", () => {
  test.each<[string, PoolPrize[]]>([
    ["prizes out of id order", [prize(2, 1, 1), prize(1, 1, 1)]],
    ["an id twice", [prize(1, 1, 1), prize(1, 1, 1)]],
    ["a negative weight", [prize(1, -1, 1)]],
    ["a weight that is no whole number", [prize(1, 0.5, 1)]],
    ["a sum of weights beyond the limit", [prize(1, WEIGHT_SUM_MAX, 1), prize(2, 1, 1)]],
  ])("refuses %s", (_name, prizes) => {
    expect(() => weightTable(prizes)).toThrow(RangeError);
  });

  test("takes weights that add up to the limit", () => {
    expect(weightTable([prize(1, WEIGHT_SUM_MAX, 1)]).total).toBe(WEIGHT_SUM_MAX);
  });
});
