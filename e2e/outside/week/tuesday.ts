/** Tuesday: the pool runs low and one prize has a wrong price, while the round runs. */
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../claims.ts";
import { outcome, tally } from "../draws.ts";
import { dig, numberAt, textAt } from "../json.ts";
import { inFlight } from "../platform.ts";
import type { Ask } from "../platform.ts";
import { WIDTH, asksOf, draw, feedPlayers, roundOf, settled, tieOut, playersOf } from "./books.ts";
import type { Week } from "./books.ts";
import { TONIGHT, TONIGHT_POOL, WRONG, lastWeekIsUnchanged } from "./monday.ts";

const PLAYERS = 80;
const TIMES = 5;
/** Draws before the price is corrected and the stock raised: 120 pieces for 400 draws. */
const EDIT_AFTER = 30;
const STOCK_AFTER = 90;
/** Pause of a player who finds the pool empty. */
const AGAIN_MS = 50;
const STOCK = { "0.88元红包": 120, [WRONG.award_name]: 150, "18.88元红包": 50 };

async function prizeOf({ operator }: Week, award_name: string): Promise<unknown> {
  const prizes = await operator.prizes(TONIGHT_POOL);
  return prizes.find((prize) => dig(prize, "award_name") === award_name);
}

/** Corrects the price; answers the times of the call and of its answer. */
async function mendPrice(week: Week): Promise<{ asked: number; answered: number }> {
  const { award_name, right: award_price } = WRONG;
  const prize = await prizeOf(week, award_name);
  const asked = performance.now();
  await week.operator.data("PUT", `/gred/api/prize/${numberAt(prize, "id")}`, {
    award_name,
    award_price,
    weight: numberAt(prize, "weight"),
    award_total: numberAt(prize, "award_total"),
    floors: numberAt(prize, "floors"),
    pool_name: TONIGHT_POOL,
  });
  return { asked, answered: performance.now() };
}

/** Corrects the price, then raises the stock: each once, however often it is called. */
function deedsOf(week: Week) {
  let edited: ReturnType<typeof mendPrice> | null = null;
  let stocked: Promise<"stocked"> | null = null;
  const edit = () => (edited ??= mendPrice(week));
  async function refill(): Promise<"stocked"> {
    await edit();
    for (const [award_name, add] of Object.entries(STOCK)) {
      const id = numberAt(await prizeOf(week, award_name), "id");
      await week.operator.data("PUT", `/gred/api/prize/${id}/stock`, { add });
    }
    return "stocked";
  }
  return { edit, stock: () => (stocked ??= refill()) };
}

/**
 * All requests with 64 in parallel; meanwhile the price is corrected and the stock raised. A player who finds the pool
 * empty tries again, since the operator may still add stock.
 */
async function drawThrough(week: Week, asks: readonly Ask[]) {
  let heard = 0;
  const { edit, stock } = deedsOf(week);
  const draws = await inFlight(asks, WIDTH, async (ask) => {
    let begun = performance.now();
    let answer = await draw(week, ask);
    for (let done = ""; answer.code === "sold_out" && done === "";) {
      done = await Promise.race([stock(), sleep(AGAIN_MS, "")]);
      begun = performance.now();
      answer = await draw(week, ask);
    }
    const ended = performance.now();
    heard += 1;
    await (heard === EDIT_AFTER ? edit() : heard === STOCK_AFTER ? stock() : null);
    return { answer, begun, ended };
  });
  return { draws, edit: await edit() };
}

/** Prices of draws before the edit was sent, and after it was answered. */
function comparePrices({ draws, edit }: Awaited<ReturnType<typeof drawThrough>>): void {
  const wrong = draws.filter(({ answer }) => dig(answer.body, "award_name") === WRONG.award_name);
  const prices = (some: typeof wrong) =>
    tally(some.map(({ answer }) => dig(answer.body, "award_price")));
  const early = wrong.filter(({ ended }) => ended < edit.asked);
  const late = wrong.filter(({ begun }) => begun > edit.answered);
  claimEqual("draws before the edit have the wrong price", prices(early), {
    [WRONG.award_price]: early.length,
  });
  claimEqual("draws after it the right one", prices(late), { [WRONG.right]: late.length });
  const others = Object.keys(prices(wrong)).filter(
    (price) => price !== WRONG.award_price && price !== WRONG.right,
  );
  claimEqual("and none a third one", others, []);
}

export async function refillAndMend(week: Week): Promise<void> {
  const tonight = roundOf(week, TONIGHT);
  const players = playersOf("tue", PLAYERS);
  await feedPlayers(week, players);
  const asks = asksOf(tonight, players, TIMES);
  const through = await drawThrough(week, asks);
  const outcomes = tally(through.draws.map(({ answer }) => outcome(answer)));
  claimEqual("stock added under 64 draws in flight: no draw is lost", outcomes, {
    "201": asks.length,
  });
  comparePrices(through);

  const { rows } = await week.operator.book(tonight.id);
  const counts = tally(rows.map((row) => dig(row, "player_id")));
  const expected = Object.fromEntries(players.map(({ player_id }) => [player_id, TIMES]));
  claimEqual("each player has as many records as chances", counts, expected);
  const drawn = tally(rows.map((row) => dig(row, "award_name")));
  const prizes = await week.operator.prizes(TONIGHT_POOL);
  const limits = prizes.map((prize) => ({
    count: numberAt(prize, "drawn"),
    left: numberAt(prize, "remaining"),
    total: numberAt(prize, "award_total"),
    records: drawn[textAt(prize, "award_name")] ?? 0,
  }));
  const holds = limits.every(
    ({ count, left, total, records }) => count === records && left === total - count && left >= 0,
  );
  claim("the limits hold: drawn is records, and no more than the total", holds, limits);
  const total = limits.reduce((sum, prize) => sum + prize.total, 0);
  claimEqual("the totals are raised by what was added", total, 120 + 120 + 150 + 50);

  await settled(week);
  const prices = new Map(
    through.draws.map(({ answer }) => [
      dig(answer.body, "trans_sn"),
      dig(answer.body, "award_price"),
    ]),
  );
  const after = (await week.operator.book(tonight.id)).rows;
  const changed = after.filter(
    (row) => prices.get(dig(row, "trans_sn")) !== dig(row, "award_price"),
  );
  claimEqual("each record keeps the price it was drawn with", changed.length, 0);
  await tieOut(week, tonight);
  await lastWeekIsUnchanged(week, "after tonight's round");
}
