/** Lists over spread deposits and bets against what was fed, and the shards that the draw path asks. */
import { readFileSync, statSync } from "node:fs";
import { claim, claimEqual } from "../outside/claims.ts";
import { instantOf, shown } from "../outside/context.ts";
import { dig, listAt, textAt } from "../outside/json.ts";
import type { Trial } from "../outside/kill/judge.ts";
import { DEPOSITORS, named } from "../outside/kill/scene.ts";
import { decimal, sumOf } from "../outside/money.ts";
import { askFor } from "../outside/platform.ts";
import { makeRound } from "../outside/setup.ts";

const LISTS = 200;
const BETS = 900;
const PLATFORMS = [1234, 2234, 3234] as const;
const PAGE = 100;
const PLAYERS_ASKED = 20;
const BATCH = 5;

interface Fed {
  readonly player_id: string;
  readonly amount: string;
  readonly created_at: string;
  readonly platform?: number;
}

/** Bets of the depositors, some outside the window. */
async function feedBets({ site, scene: { window }, dice }: Trial): Promise<Fed[]> {
  const below = (max: number) => Math.floor(dice() * max);
  const bets = Array.from({ length: BETS }, (_, at) => ({
    bet_no: `s-${at}`,
    ...named(below(DEPOSITORS)),
    valid_bet_amount: decimal(BigInt(100 + below(9_000))),
    platform: PLATFORMS[below(PLATFORMS.length)] ?? PLATFORMS[0],
    created_at: new Date(
      window.from - 1_800_000 + below(window.until - window.from + 3_600_000),
    ).toISOString(),
  }));
  const { status, text } = await site.platform.call("POST", "/open/v1/bets", { bets });
  claim("bets are fed", status === 200, text);
  return bets.map(({ valid_bet_amount: amount, ...bet }) => ({ ...bet, amount }));
}

type Compared = readonly [seen: unknown, expected: unknown];

/** A list of deposits or bets, by player, time and platform or without: its page and its totals. */
async function listEvents(trial: Trial, name: "deposit" | "betlog", all: readonly Fed[]) {
  const { site, dice, scene } = trial;
  const { from, until } = scene.window;
  const player = dice() < 0.5 ? named(Math.floor(dice() * DEPOSITORS)) : null;
  const [a = 0, b = 0] = [dice(), dice()].toSorted((x, y) => x - y);
  const times = {
    start_time: shown(from + a * (until - from)),
    end_time: shown(from + b * (until - from)),
  };
  const isTimed = dice() < 0.7;
  const type = name === "betlog" && dice() < 0.5 ? PLATFORMS[0] : null;
  const told = await site.operator.data("POST", `/gred/api/userInfo/${name}`, {
    ...(player && { user_name: player.user_name }),
    ...(isTimed && times),
    ...(type && { type }),
    page: 1,
    size: PAGE,
  });
  const fed = all.filter(
    ({ player_id, platform, created_at }) =>
      (player === null || player_id === player.player_id) &&
      (type === null || platform === type) &&
      (!isTimed ||
        (Date.parse(created_at) >= instantOf(times.start_time) &&
          Date.parse(created_at) < instantOf(times.end_time) + 1_000)),
  );
  const newest = fed
    .map((one) => shown(Date.parse(one.created_at)))
    .toSorted()
    .toReversed();
  const page = listAt(told, "content").map((row) => textAt(row, "created_at"));
  const compared: Compared = [
    [dig(told, "total"), dig(told, `${name}Total`), page],
    [fed.length, sumOf(fed.map(({ amount }) => amount)), newest.slice(0, PAGE)],
  ];
  return compared;
}

/** Records of a round whose players have a counting bet on a platform. */
async function listRecords({ site, scene, acks, dice }: Trial, bets: readonly Fed[]) {
  const { free, paused, earned, granted, window } = scene;
  const round = [free, paused, earned, granted][Math.floor(dice() * 4)] ?? free;
  const type = PLATFORMS[Math.floor(dice() * PLATFORMS.length)];
  const query = `rounds_id=${round.id}&type=${type}&page=1&size=1`;
  const told = await site.operator.data("GET", `/gred/api/record/list?${query}`, null);
  const counting = bets.filter(({ platform, created_at }) => {
    const at = Date.parse(created_at);
    return platform === type && at >= window.from && at < window.until;
  });
  const players = new Set(counting.map(({ player_id }) => player_id));
  const drawn = [...acks.drawn.values()].filter(
    ({ ask }) => ask.rounds_id === round.id && players.has(ask.player_id),
  );
  const compared: Compared = [dig(told, "total"), drawn.length];
  return compared;
}

/** Some filters of deposits, bets and records: what the list tells, and what was fed. */
export async function compareLists(trial: Trial): Promise<void> {
  const bets = await feedBets(trial);
  const deposits = [...trial.acks.deposits.values()];
  const differing: Compared[] = [];
  for (let at = 0; at < LISTS; at += 1) {
    const compared = await [
      () => listEvents(trial, "deposit", deposits),
      () => listEvents(trial, "betlog", bets),
      () => listRecords(trial, bets),
    ][at % 3]?.();
    if (compared !== undefined && JSON.stringify(compared[0]) !== JSON.stringify(compared[1])) {
      differing.push(compared);
    }
  }
  claimEqual(`${LISTS} lists and totals are what was fed`, differing.slice(0, 2), []);
}

/** What PostgreSQL writes of each statement and its plan. */
export const PLANS = [
  "session_preload_libraries = 'auto_explain'",
  "auto_explain.log_min_duration = 0",
] as const;

/**
 * Chances that count deposits, and bets on a platform, are asked and drawn: each player's deposits and bets are read from
 * one shard, in batches too. `log` is the coordinator's, with plans.
 */
export async function claimShards({ site, scene }: Trial, log: string): Promise<void> {
  const preset = { name: "投注", code: "1,2,1", value: "10", times: 1 };
  const wish = { name: "投注", tag: "weekend", pool_name: scene.pool_name, preset };
  const ofBets = await makeRound(site.operator, scene.window, wish);
  const { call, draw } = site.platform;
  /** Asks about new players, since the server remembers the others. */
  const asksOf = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) =>
      [scene.earned, ofBets].map(({ id }) => askFor(id, named(from + at).player_id)),
    ).flat();
  async function claimAsked(what: string, shards: number, work: () => Promise<unknown>) {
    const before = statSync(log).size;
    await work();
    const told = readFileSync(log).subarray(before).toString("utf8").split("Query Text:");
    const plans = told.filter((one) => /from "(?:deposit|bet)" e/.test(one));
    const tasks = plans.flatMap((one) =>
      [...one.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)),
    );
    const isRight = tasks.length > 0 && tasks.every((count) => count <= shards);
    claim(`${what} ask one shard of a player`, isRight, tasks);
  }
  await claimAsked("chances", 1, async () => {
    for (const { rounds_id, player_id } of asksOf(0, PLAYERS_ASKED)) {
      await call("GET", `/open/v1/rounds/${rounds_id}/chances?player_id=${player_id}`, null);
    }
  });
  await claimAsked("draws", 1, async () => {
    for (const ask of asksOf(PLAYERS_ASKED, PLAYERS_ASKED)) {
      await draw(ask);
    }
  });
  const draws = asksOf(2 * PLAYERS_ASKED, BATCH);
  await claimAsked("batches", BATCH, () => call("POST", "/open/v1/draws/batch", { draws }));
}
