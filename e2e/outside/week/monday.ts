/** Monday: last week's round is copied to tonight, with its pool. */
import { setTimeout as sleep } from "node:timers/promises";
import { claimEqual } from "../claims.ts";
import { instantOf, shown } from "../context.ts";
import type { Round } from "../context.ts";
import { outcome, tally } from "../draws.ts";
import { dig, numberAt, textAt } from "../json.ts";
import { askFor } from "../platform.ts";
import { makePool, makeRound } from "../setup.ts";
import type { Operator } from "../operator.ts";
import type { Prize } from "../setup.ts";
import { drawAll, feedPlayers, roundOf, settled, playersOf } from "./books.ts";
import type { Week } from "./books.ts";

const LAST_WEEK_POOL = "上周池";
export const TONIGHT_POOL = "今晚池";
/** Priced ten times too high by mistake; found on Tuesday. */
export const WRONG = { award_name: "8.80元红包", award_price: "88.00", right: "8.80" };

const PRIZES: readonly Prize[] = [
  { award_name: "0.88元红包", award_price: "0.88", weight: 300, award_total: 60, floors: 1 },
  {
    award_name: WRONG.award_name,
    award_price: WRONG.award_price,
    weight: 400,
    award_total: 40,
    floors: 0,
  },
  { award_name: "18.88元红包", award_price: "18.88", weight: 250, award_total: 15, floors: 0 },
  { award_name: "雨伞", award_price: "0.00", weight: 50, award_total: 5, floors: 0 },
];
const STOCK = 120;
const NAME = "红包雨";
export const LAST_WEEK = `${NAME}, last week`;
export const TONIGHT = `${NAME}, tonight`;
const DRAWS = 3;
/** Duration of last week's round after it was made. */
const LASTS_MS = 12_000;

/**
 * Nothing can be drawn in the past, so last week's round began seven days ago and ends in some seconds: the players
 * draw now, and it ends by the clock, without an edit.
 */
async function playLastWeek(week: Week): Promise<Round> {
  const { operator, window } = week;
  await makePool(operator, LAST_WEEK_POOL, PRIZES);
  const preset = { name: NAME, code: "0", value: "0", times: DRAWS };
  const start = `${shown(Date.now() - 7 * 86_400_000).slice(0, 10)} 20:00:00`;
  const times = { start, end: shown(Date.now() + LASTS_MS) };
  const wish = { name: NAME, tag: "dragon", pool_name: LAST_WEEK_POOL, preset, times };
  const round = { ...(await makeRound(operator, window, wish)), name: LAST_WEEK };
  const ended = Date.now() + LASTS_MS + 1_000;
  const players = playersOf("mon", 30);
  await feedPlayers(week, players);
  const asks = players.flatMap(({ player_id }) =>
    Array.from({ length: DRAWS }, () => askFor(round.id, player_id)),
  );
  const answers = await drawAll(week, asks);
  claimEqual("last week's round is drawn", tally(answers.map(outcome)), { "201": asks.length });
  await sleep(Math.max(0, ended - Date.now()));
  const late = await drawAll(week, [askFor(round.id, "w-mon0")]);
  claimEqual("once it is over it is drawn no more", late.map(outcome), ["409 round_not_active"]);
  return round;
}

async function compareCopiedPool({ operator }: Week): Promise<void> {
  const essence = (prize: unknown) => [
    textAt(prize, "award_name"),
    textAt(prize, "award_price"),
    numberAt(prize, "weight"),
    numberAt(prize, "award_total"),
    numberAt(prize, "floors"),
  ];
  const old = await operator.prizes(LAST_WEEK_POOL);
  const copy = await operator.prizes(TONIGHT_POOL);
  claimEqual("the copied pool has the same prizes", copy.map(essence), old.map(essence));
  claimEqual(
    "and full stock",
    copy.map((prize) => [dig(prize, "drawn"), dig(prize, "remaining")]),
    copy.map((prize) => [0, dig(prize, "award_total")]),
  );
  const left = old.reduce((sum: number, prize) => sum + numberAt(prize, "remaining"), 0);
  claimEqual("last week's pool stays as it was left", left, STOCK - 30 * DRAWS);
}

/** Fields that may differ in the copy. */
const OWN = new Set(["id", "act_id", "version", "rounds_status"]);

async function detailOf({ operator }: Week, id: number): Promise<Record<string, unknown>> {
  const detail = await operator.data("GET", `/gred/api/act/${id}/edit`, null);
  return Object.fromEntries(Object.entries(Object(detail)).filter(([field]) => !OWN.has(field)));
}

/** Copies as the console does, then edits tonight's values. */
async function copyToTonight(week: Week, last: Round): Promise<Round> {
  const { operator } = week;
  const source = await detailOf(week, last.id);
  const start_time = shown(Date.now() - 60_000);
  const named = { rounds_name: NAME, pool_name: TONIGHT_POOL };
  const changed = {
    condition_times: 5,
    start_time,
    end_time: shown(Date.now() + 6 * 3_600_000),
  };
  const made = await operator.data("POST", `/gred/api/act/${last.id}/copy`, {
    start_date: start_time.slice(0, 10),
    ...named,
  });
  const id = numberAt(made, "id");
  await operator.changeRound(id, changed);
  const days = Date.parse(start_time.slice(0, 10)) - Date.parse(last.date);
  const moved = (field: string) => shown(instantOf(textAt(source, field)) + days);
  claimEqual(
    "tonight's round is last week's but for pool, draws and times",
    await detailOf(week, id),
    {
      ...source,
      ...named,
      ...changed,
      achieve_start_time: moved("achieve_start_time"),
      achieve_end_time: moved("achieve_end_time"),
    },
  );
  const preset = { ...last.preset, times: 5 };
  return { id, name: TONIGHT, tag: last.tag, date: start_time.slice(0, 10), preset };
}

/** Last week's round, tonight's, and last week's records before the copy. */
export async function copyLastWeek(week: Week): Promise<void> {
  const last = await playLastWeek(week);
  await settled(week);
  const before = await week.operator.book(last.id);
  claimEqual("last week's records are there", before.total, 30 * DRAWS);
  const tonight = await copyToTonight(week, last);
  await compareCopiedPool(week);
  week.rounds.push(last, tonight);
  keptBooks.set(week, before);
  await lastWeekIsUnchanged(week, "after the copy");
}

const keptBooks = new WeakMap<Week, Awaited<ReturnType<Operator["book"]>>>();

export async function lastWeekIsUnchanged(week: Week, when: string): Promise<void> {
  const { id } = roundOf(week, LAST_WEEK);
  const seen = await week.operator.book(id);
  claimEqual(`last week's records are unchanged ${when}`, seen, keptBooks.get(week));
}
