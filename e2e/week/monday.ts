/** Monday: last week's round is copied to tonight, with a copy of its pool. */
import { setTimeout as sleep } from "node:timers/promises";
import { conditionOf } from "../outside/chances.ts";
import { claimEqual } from "../outside/claims.ts";
import { shown } from "../outside/context.ts";
import type { Round } from "../outside/context.ts";
import { outcome, tally } from "../outside/draws.ts";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import { settled } from "../outside/payouts.ts";
import { askFor } from "../outside/platform.ts";
import { makePool } from "../outside/setup.ts";
import type { Prize } from "../outside/setup.ts";
import { bookOf, drawAll, feedPlayers, playersOf } from "./books.ts";
import type { Week } from "./books.ts";

const LAST_WEEK_POOL = "上周池";
export const TONIGHT_POOL = "今晚池";
/** Priced ten times too high by mistake; Tuesday finds out. */
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
const DRAWS = 3;
/** How long last week's round goes on once it was made. */
const LASTS_MS = 12_000;

export async function prizesOf({ operator }: Week, pool_name: string): Promise<unknown[]> {
  const query = `pool_name=${encodeURIComponent(pool_name)}&page=1&size=9999`;
  return listAt(await operator.data("GET", `/gred/api/prize/list?${query}`, null), "content");
}

/**
 * Nothing is drawn in the past, so last week's round is one that began seven days ago and is over in
 * some seconds: it is drawn now, and then it ends by the clock, with nobody editing it.
 */
async function playLastWeek(week: Week): Promise<Round> {
  const { operator, window } = week;
  await makePool(operator, LAST_WEEK_POOL, PRIZES);
  const preset = { name: NAME, code: "0", value: "0", times: DRAWS };
  const start_time = `${shown(Date.now() - 7 * 86_400_000).slice(0, 10)} 20:00:00`;
  const created = await operator.data("POST", "/gred/api/act", {
    rounds_name: NAME,
    tag: "dragon",
    red_code: "RED_PACKET",
    pool_name: LAST_WEEK_POOL,
    ...conditionOf(preset),
    turnover: 3,
    achieve_start_time: window.start,
    achieve_end_time: window.end,
    start_time,
    end_time: shown(Date.now() + LASTS_MS),
  });
  const id = numberAt(created, "id");
  const round = {
    id,
    name: `${NAME}, last week`,
    tag: "dragon",
    date: start_time.slice(0, 10),
    preset,
  };
  const ended = Date.now() + LASTS_MS + 1_000;
  const players = playersOf("mon", 30);
  await feedPlayers(week, players);
  const asks = players.flatMap(({ player_id }) =>
    Array.from({ length: DRAWS }, () => askFor(id, player_id)),
  );
  const answers = await drawAll(week, asks);
  claimEqual("last week's round is drawn", tally(answers.map(outcome)), { "201": asks.length });
  await sleep(Math.max(0, ended - Date.now()));
  const late = await drawAll(week, [askFor(id, "w-mon0")]);
  claimEqual("once it is over it is drawn no more", late.map(outcome), ["409 round_not_active"]);
  return round;
}

async function copyPool(week: Week): Promise<void> {
  const { operator } = week;
  const pools = listAt(await operator.data("GET", "/gred/api/pool", null), "content");
  const source = pools.find((pool) => dig(pool, "pool_name") === LAST_WEEK_POOL);
  const path = `/gred/api/pool/${numberAt(source, "id")}/copy`;
  await operator.data("POST", path, { pool_name: TONIGHT_POOL });
  const essence = (prize: unknown) => [
    textAt(prize, "award_name"),
    textAt(prize, "award_price"),
    numberAt(prize, "weight"),
    numberAt(prize, "award_total"),
    numberAt(prize, "floors"),
  ];
  const [old, copy] = [await prizesOf(week, LAST_WEEK_POOL), await prizesOf(week, TONIGHT_POOL)];
  claimEqual("the copied pool has the same prizes", copy.map(essence), old.map(essence));
  claimEqual(
    "and full stock",
    copy.map((prize) => [dig(prize, "drawn"), dig(prize, "remaining")]),
    copy.map((prize) => [0, dig(prize, "award_total")]),
  );
  const left = old.reduce((sum: number, prize) => sum + numberAt(prize, "remaining"), 0);
  claimEqual("last week's pool stays as it was left", left, STOCK - 30 * DRAWS);
}

/** Fields that an activity's form does not send. */
const NOT_SENT = new Set(["id", "act_id", "version", "rounds_status"]);

async function copyRound(week: Week, last: Round): Promise<Round> {
  const { operator } = week;
  const detail = await operator.data("GET", `/gred/api/act/${last.id}/edit`, null);
  const form = Object.fromEntries(
    Object.entries(Object(detail)).filter(([field]) => !NOT_SENT.has(field)),
  );
  const start_time = shown(Date.now() - 60_000);
  const changed = {
    pool_name: TONIGHT_POOL,
    condition_times: 5,
    start_time,
    end_time: shown(Date.now() + 6 * 3_600_000),
  };
  const created = await operator.data("POST", "/gred/api/act", { ...form, ...changed });
  const id = numberAt(created, "id");
  const copy = await operator.data("GET", `/gred/api/act/${id}/edit`, null);
  const kept = Object.fromEntries(
    Object.entries(Object(copy)).filter(([field]) => !NOT_SENT.has(field)),
  );
  claimEqual("tonight's round is last week's but for pool, draws and times", kept, {
    ...form,
    ...changed,
  });
  const preset = { ...last.preset, times: 5 };
  return { id, name: `${NAME}, tonight`, tag: last.tag, date: start_time.slice(0, 10), preset };
}

/** Answers last week's round, tonight's, and a check that last week's records are as they were. */
export async function copyLastWeek(week: Week) {
  const last = await playLastWeek(week);
  await settled(week);
  const before = await bookOf(week.operator, last.id);
  claimEqual("last week's records are there", before.total, 30 * DRAWS);
  await copyPool(week);
  const tonight = await copyRound(week, last);
  week.rounds.push(last, tonight);
  const isUnchanged = async (when: string) => {
    claimEqual(
      `last week's records are unchanged ${when}`,
      await bookOf(week.operator, last.id),
      before,
    );
  };
  await isUnchanged("after the copy");
  return { last, tonight, isUnchanged };
}
