/** Makes random changes of an installation, as an operator sends them. test/outside-risk.ts values them. */
import { activityRoutes } from "@red/contract/rounds/activity";
import { exclusionRoutes } from "@red/contract/players/exclusion";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import type { Route } from "@red/contract/platform/route";
import { unused } from "#test/contract-world";
import { grantFromOutside } from "#test/outside-risk";
import { dayOf } from "#test/outside-risk-state";
import type { Prize, Round, State } from "#test/outside-risk-state";
import { PLENTY, randomPrize, randomRule, randomTimes, TAGS } from "#test/random-installation";
import type { Dice } from "#test/random-installation";

export interface Change {
  readonly route: Route;
  readonly params?: { readonly id: number };
  readonly body?: object;
  /** In place of a body: a prize file. */
  readonly file?: { readonly bytes: string; readonly pool_name: string };
  /** The cost in whole cents of a change that does not depend on rounds and prizes. */
  readonly costs?: (state: State) => number;
}

/** The input of a random change. */
export interface Stage {
  readonly dice: Dice;
  readonly state: State;
  readonly pools: ReadonlyMap<number, string>;
}

type Kind = (stage: Stage) => Change | null;

const MINUTE = 60_000;
const money = (cents: number) => (cents / 100).toFixed(2);
export const textOf = (ms: number) =>
  new Date(ms + 480 * MINUTE).toISOString().slice(0, 19).replace("T", " ");

export const formOf = ({ award_name, award_price_cents, weight, award_total, floors }: Prize) => ({
  award_name,
  award_price: money(award_price_cents),
  weight,
  award_total,
  floors: floors ? (1 as const) : (0 as const),
});
type PrizeForm = ReturnType<typeof formOf>;

/** A new prize. */
function newPrize(dice: Dice): PrizeForm {
  const { award_price_cents, weight, left, floors } = randomPrize(dice);
  const award_name = unused("new");
  const award_price = money(award_price_cents);
  return { award_name, award_price, weight, award_total: left, floors: floors ? 1 : 0 };
}

/** Another price, weight, total or guarantee. */
function altered(prize: Prize, { below, oneOf }: Dice): PrizeForm {
  const { award_price_cents: cents, weight, award_total, drawn, floors } = prize;
  const left = award_total - drawn;
  const fewer = left > 99 ? oneOf([0, 4, 15]) : below(left + 4);
  return {
    ...formOf(prize),
    ...oneOf([
      { award_price: money(oneOf([cents * 500, cents * 2, cents / 2, 0, 123].map(Math.floor))) },
      { weight: oneOf([weight * 10, Math.floor(weight / 3), weight + 7, 0]) },
      { award_total: drawn + oneOf([fewer, fewer, PLENTY, left]) },
      { floors: floors ? (0 as const) : (1 as const) },
      { award_price: money(cents * 2), weight: Math.floor(weight / 2) },
    ]),
  };
}

const standing = ({ state }: Stage) => state.prizes.filter((prize) => prize.deleted_at === null);
const living = ({ state }: Stage) => state.rounds.filter((round) => round.deleted_at === null);
const anyOf = <T>({ dice }: Stage, list: readonly T[]): T | null =>
  list.length === 0 ? null : dice.oneOf(list);

const ofPrize =
  (change: (prize: Prize, stage: Stage, pool_name: string) => Change | null): Kind =>
  (stage) => {
    const prize = anyOf(stage, standing(stage));
    return prize && change(prize, stage, stage.pools.get(prize.pool_id) ?? "");
  };

const ofRound =
  (change: (round: Round, stage: Stage) => Change | null): Kind =>
  (stage) => {
    const round = anyOf(stage, living(stage));
    return round && change(round, stage);
  };

function roundBody(round: Omit<Round, "id">, pool_name: string, changes: object = {}) {
  const { condition_value_cents, achieve_start_time, achieve_end_time } = round;
  return {
    rounds_name: round.rounds_name,
    tag: round.tag,
    red_code: round.red_code,
    pool_name,
    condition_name: round.condition_name,
    condition_formula: round.condition_formula,
    condition_type: round.condition_type,
    condition_value: money(condition_value_cents),
    condition_times: round.condition_times,
    turnover: round.turnover,
    achieve_start_time: textOf(achieve_start_time.getTime()),
    achieve_end_time: textOf(achieve_end_time.getTime()),
    start_time: textOf(round.start_time.getTime()),
    end_time: textOf(round.end_time.getTime()),
    draws_max: round.draws_max,
    day_draws_max: round.day_draws_max,
    platforms: round.platforms,
    ...changes,
  };
}

function ruleBody(dice: Dice) {
  const { condition_value_cents, ...rule } = randomRule(dice);
  return { ...rule, condition_value: money(condition_value_cents) };
}

function timesBody({ dice, state }: Stage, round: Round) {
  const { below, oneOf } = dice;
  const [start, end] = [round.start_time.getTime(), round.end_time.getTime()];
  const [from, to] = randomTimes(dice, state.now);
  const by = (below(48) - 24) * 60 * MINUTE;
  return oneOf([
    { end_time: textOf(Math.max(start, end + by)) },
    { end_time: textOf(Math.max(start, Math.floor(state.now / 1_000) * 1_000 - MINUTE)) },
    { start_time: textOf(Math.min(end, start + by)) },
    { start_time: textOf(start + by), end_time: textOf(end + by) },
    { start_time: textOf(from), end_time: textOf(to) },
    { achieve_start_time: textOf(round.achieve_start_time.getTime() - below(72) * 60 * MINUTE) },
  ]);
}

/** The prizes of a pool as a grid. */
function grid(stage: Stage): Change | null {
  const { dice } = stage;
  const [pool_id, pool_name] = dice.oneOf([...stage.pools]);
  const prizes = standing(stage).filter((prize) => prize.pool_id === pool_id);
  const removed = prizes.filter(() => dice.below(4) === 0);
  const kept = prizes.filter((prize) => !removed.includes(prize));
  const read = ({ id, version }: Prize) => ({ id, version });
  const rows = [
    ...kept.map((prize) => ({ ...altered(prize, dice), ...read(prize) })),
    ...(dice.below(2) === 0 ? [newPrize(dice)] : []),
  ];
  return { route: poolRoutes.save, body: { pool_name, rows, removed: removed.map(read) } };
}

function file(stage: Stage): Change | null {
  const { dice } = stage;
  const [pool_id, pool_name] = dice.oneOf([...stage.pools]);
  const prizes = standing(stage).filter((prize) => prize.pool_id === pool_id);
  const rows = [newPrize(dice), ...prizes.map((prize) => altered(prize, dice))].map((row) =>
    [row.award_name, row.award_price, row.weight, row.award_total, row.floors].join(),
  );
  const bytes = ["award_name,award_price,weight,award_total,floors", ...rows, ""].join("\n");
  return { route: prizeRoutes.importFile, file: { bytes, pool_name } };
}

function grants(stage: Stage): Change {
  const { dice, state } = stage;
  const tag = dice.oneOf(TAGS);
  const may = state.players.filter(({ blocked, excluded_until }) => !blocked && !excluded_until);
  const some = may.slice(dice.below(may.length));
  const user_names = some.map(({ user_name }) => user_name);
  const body = { user_names, tag, expire_time: "2049-01-01 00:00:00" };
  const costs = (now: State) => grantFromOutside(now, tag, some.length);
  return { route: extraTimesRoutes.grant, body, costs };
}

function reissues(stage: Stage): Change | null {
  const refused = stage.state.payouts.filter(({ state }) => state === "refused").slice(0, 5);
  const sum = refused.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  const body = { log_ids: refused.map(({ log_id }) => log_id) };
  return refused.length === 0 ? null : { route: recordRoutes.reissue, body, costs: () => sum };
}

/** Lifting an exclusion makes held payouts due, unless another exclusion of the player still holds them. */
function lifting(stage: Stage): Change | null {
  const { exclusions, payouts } = stage.state;
  const isHolding = ({ kind, lifted_at }: State["exclusions"][number]) =>
    lifted_at === null && (kind === "risk" || kind === "staff");
  const one = anyOf(stage, exclusions.filter(isHolding));
  if (one === null) {
    return null;
  }
  const { id, player_key } = one;
  const others = exclusions.filter((row) => row.player_key === player_key && row.id !== id);
  const due = payouts.filter((row) => row.player_key === player_key && row.state === "queued");
  const sum = due.reduce((cents, { amount_cents }) => cents + amount_cents, 0);
  const costs = () => (others.some(isHolding) ? 0 : sum);
  return { route: exclusionRoutes.lift, params: { id }, body: { reason: "over" }, costs };
}

export const saveRound = (round: Round, { pools }: Stage, changes: object): Change => ({
  route: activityRoutes.update,
  params: { id: round.id },
  body: roundBody(round, pools.get(round.pool_id) ?? "", changes),
});

/** Changes of rounds, pools and prizes. */
export const EDITS: Readonly<Record<string, Kind>> = {
  "a prize is altered": ofPrize((prize, { dice }, pool_name) => ({
    route: prizeRoutes.update,
    params: { id: prize.id },
    body: { ...altered(prize, dice), pool_name },
  })),
  "a prize is added": ofPrize((_prize, { dice }, pool_name) => ({
    route: prizeRoutes.create,
    body: { ...newPrize(dice), pool_name },
  })),
  "a prize is removed": ofPrize(({ id }) => ({ route: prizeRoutes.remove, params: { id } })),
  "stock is added": ofPrize(({ id, award_total }, { dice }) => ({
    route: prizeRoutes.addStock,
    params: { id },
    body: { add: award_total > 99 ? 1_000 : 1 + dice.below(5) },
  })),
  "a grid is saved": grid,
  "a file is imported": file,
  "a former version comes back": ({ dice, pools, state }) => {
    const [id] = dice.oneOf([...pools]);
    const versions = state.versions.filter(({ pool_id }) => pool_id === id);
    return {
      route: poolRoutes.restore,
      params: { id },
      body: { version: dice.oneOf(versions).version },
    };
  },
  "another rule": ofRound((round, stage) => saveRound(round, stage, ruleBody(stage.dice))),
  "other times": ofRound((round, stage) => saveRound(round, stage, timesBody(stage, round))),
  "another pool": ofRound((round, stage) => {
    const pool_name = stage.dice.oneOf([...stage.pools.values()]);
    return saveRound(round, stage, { pool_name });
  }),
  "another group": ofRound((round, stage) =>
    saveRound(round, stage, { tag: stage.dice.oneOf(TAGS) }),
  ),
  "all at once": ofRound((round, stage) => {
    const pool_name = stage.dice.oneOf([...stage.pools.values()]);
    const changes = { ...timesBody(stage, round), ...ruleBody(stage.dice), pool_name };
    return saveRound(round, stage, changes);
  }),
  "a new round": ofRound((round, { dice, pools, state }) => {
    const [from, to] = randomTimes(dice, state.now);
    const [rounds_name, pool_name] = [unused("made"), dice.oneOf([...pools.values()])];
    const times = { start_time: textOf(from), end_time: textOf(to) };
    const body = roundBody(round, pool_name, { rounds_name, ...times });
    return { route: activityRoutes.create, body };
  }),
  "a copy": ofRound(({ id }, { dice, state }) => ({
    route: activityRoutes.copy,
    params: { id },
    body: {
      start_date: dayOf(state.now + dice.below(3) * 1_440 * MINUTE),
      rounds_name: unused("copy"),
      pool_name: unused("copy"),
    },
  })),
  "a pause": ofRound(({ id }) => {
    return { route: activityRoutes.pause, params: { id }, body: { rounds_status: 0 } };
  }),
  "a resume": ofRound(({ id }) => {
    return { route: activityRoutes.pause, params: { id }, body: { rounds_status: 1 } };
  }),
  "a round is deleted": ofRound(({ id }) => ({ route: activityRoutes.remove, params: { id } })),
};

export const CHANGES: Readonly<Record<string, Kind>> = {
  ...EDITS,
  "extra times are granted": grants,
  "payouts are sent again": reissues,
  "an exclusion is lifted": lifting,
};
