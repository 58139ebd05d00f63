/**
 * Tests the mapping from tickets to prizes, and the draws of the generator. Statistics cannot detect a
 * mapping that is wrong by one ticket, so the test tries every ticket.
 */
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pickPrize, weightTable } from "./draw.ts";
import type { PoolPrize } from "./draw.ts";

/** `npm run prove -- fairness` sets a larger number. */
const POOLS = Number(process.env["PROVE_N"] ?? 40);
const SEED = Number(process.env["PROVE_SEED"] ?? 1);
const DRAWS = POOLS * 1_000;
const TOTAL_MAX = 1_000_000;
const HOUR_MS = 3_600_000;
/** Chi-square with 19 degrees of freedom exceeds this value with a probability of one in a million. */
const CHI_SQUARE_LIMIT = 63.677;

/**
 * One to twelve prizes, some with weight 0. The weights add up to about `total`; small and large totals are
 * equally frequent.
 */
const pools = fc
  .record({
    total: fc.noBias(fc.nat(1000)).map((share) => TOTAL_MAX ** (share / 1000)),
    rows: fc.array(fc.record({ share: fc.noBias(fc.nat(99)), floors: fc.boolean() }), {
      minLength: 1,
      maxLength: 12,
    }),
  })
  .map(({ total, rows }) => {
    const sum = rows.reduce((all, { share }) => all + share ** 3, 1);
    return rows.map(({ share, floors }, at): PoolPrize => {
      return { id: 1 + at * 3, weight: Math.round((share ** 3 / sum) * total), left: 1, floors };
    });
  });

/** Returns how many tickets lead to each prize, by id. */
function ownedTickets(prizes: readonly PoolPrize[]): Map<number, number> {
  const table = weightTable(prizes);
  const owned = new Map(prizes.map(({ id }) => [id, 0]));
  for (let ticket = 0; ticket < table.total; ticket += 1) {
    const id = pickPrize(table, () => ticket)?.prize_id ?? 0;
    owned.set(id, (owned.get(id) ?? 0) + 1);
  }
  return owned;
}

test(
  `each prize of ${POOLS} pools owns exactly its weight of tickets`,
  { timeout: HOUR_MS },
  () => {
    let tickets = 0;
    fc.assert(
      fc.property(pools, (prizes) => {
        expect(ownedTickets(prizes)).toEqual(new Map(prizes.map(({ id, weight }) => [id, weight])));
        tickets += prizes.reduce((sum, { weight }) => sum + weight, 0);
      }),
      { numRuns: POOLS, seed: SEED },
    );
    process.stdout.write(`${POOLS} pools, ${tickets} tickets enumerated: exact\n`);
  },
);

test(
  `${DRAWS} draws by the real generator are spread as the weights say`,
  { timeout: HOUR_MS },
  () => {
    const prizes: PoolPrize[] = Array.from({ length: 20 }, (_, index) => ({
      id: index + 1,
      weight: 50 + index * 37,
      left: 1,
      floors: false,
    }));
    const table = weightTable(prizes);
    const counts = new Float64Array(prizes.length + 1);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const id = pickPrize(table, randomInt)?.prize_id ?? 0;
      counts[id] = (counts[id] ?? 0) + 1;
    }
    const chiSquare = prizes.reduce((sum, { id, weight }) => {
      const expected = (DRAWS * weight) / table.total;
      return sum + ((counts[id] ?? 0) - expected) ** 2 / expected;
    }, 0);
    process.stdout.write(`${DRAWS} draws: chi-square ${chiSquare.toFixed(2)} with 19 degrees\n`);
    expect(chiSquare).toBeLessThan(CHI_SQUARE_LIMIT);
  },
);
