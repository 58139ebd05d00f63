/** Makes a random installation: rounds of every kind on few pools, players with chances, and draws. */
import { PLATFORM_CODES } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import type { Db } from "#platform/db/connection";
import type { diceOf } from "#test/dice";
import {
  makeExtraTime,
  makePlayer,
  makePool,
  makePrize,
  makeRecords,
  makeRound,
} from "#test/factories";
import type { MadePlayer } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";
import { dayOf } from "#test/outside-risk-state";
import type { TestDb } from "#test/test-db";
import { sql as kysely } from "kysely";

export type Dice = ReturnType<typeof diceOf>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
export const TAGS = ["weekend", "dragon"] as const;
export const PLENTY = 1_000_000;

/** Either few pieces, so that each stock can be followed draw by draw, or more than are ever drawn. */
export function randomPrize({ below, oneOf }: Dice) {
  const floors = below(4) === 0;
  const kind = below(5);
  if (kind < 2) {
    const weight = oneOf([0, 1, 50, 1_000]);
    return { award_price_cents: oneOf([0, 1, 100, 888]), weight, left: PLENTY, floors };
  }
  const price = oneOf([0, 100, 8_800, 999_900]);
  return {
    award_price_cents: price,
    weight: 1 + below(100),
    left: below(kind === 2 ? 19 : 6),
    floors,
  };
}

/** A random rule of a round, with the columns that belong together. */
export function randomRule({ below, oneOf }: Dice) {
  const condition_name = oneOf(["0", "1", "2", "2", "3"] as const);
  const isCounted = condition_name === "1" || condition_name === "2";
  return {
    condition_name,
    condition_formula: isCounted ? oneOf(["1", "3"] as const) : "0",
    condition_type: isCounted ? oneOf(["1", "2"] as const) : "0",
    condition_value_cents: isCounted ? oneOf([1_200, 12_000, 120_000]) : 0,
    condition_times: 1 + below(5),
    draws_max: oneOf([null, null, 1, 5]),
    day_draws_max: oneOf([null, null, null, 3]),
    platforms: condition_name === "1" && below(2) === 0 ? [oneOf(PLATFORM_CODES)] : null,
  } as const;
}

/** Whole seconds; `now` is the present. */
export function randomTimes({ below, oneOf }: Dice, now: number) {
  const second = Math.floor(now / 1_000) * 1_000;
  const ago = (most: number) => second - MINUTE * (1 + below(most / MINUTE));
  const ahead = (most: number) => second + MINUTE * (1 + below(most / MINUTE));
  const old = ago(32 * DAY);
  const later = ahead(3 * DAY);
  return oneOf([
    [ago(5 * DAY), ahead(DAY)],
    [ago(5 * DAY), second + 1_000 * (20 + below(40))],
    [later, later + below(DAY / HOUR) * HOUR],
    [old, Math.min(old + 4 * HOUR, second - MINUTE)],
  ] as const);
}

const TABLES = `activity, activity_rule, pool, pool_version, prize, player, draw_record, payout, extra_time, exclusion,
  deposit, bet, event_chunk, drawn_prize, rollup, rollup_delta, setting, approval, risked`;

async function makePools({ db, sql }: TestDb, dice: Dice, now: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 3 + dice.below(3); made > 0; made -= 1) {
    const pool_id = await makePool(db);
    const prizes: object[] = [];
    for (let more = 1 + dice.below(3); more > 0; more -= 1) {
      const { left, ...prize } = randomPrize(dice);
      const drawn = dice.below(9);
      const award_total = left + drawn;
      const id = await makePrize(db, { pool_id, drawn, award_total, ...prize });
      prizes.push({ id, award_name: `version ${id}`, ...prize, award_total });
    }
    const older = JSON.stringify(prizes.slice(dice.below(2)));
    const changed = new Date(now - dice.below(30) * DAY);
    await sql`insert into pool_version (pool_id, version, prizes, created_at)
      values (${pool_id}, 1, ${older}, ${new Date(now - 40 * DAY)}), (${pool_id}, 2, ${JSON.stringify(prizes)}, ${changed})`;
    await sql`update pool set version = 2 where id = ${pool_id}`;
    ids.push(pool_id);
  }
  return ids;
}

/** Makes draws of a running round: some spread out, some in a burst. */
async function makeDraws(
  db: Db,
  { below, oneOf }: Dice,
  round: { rounds_id: number; pool_id: number; prize_id: number },
  players: readonly MadePlayer[],
  [from, to]: readonly [number, number],
): Promise<void> {
  const burst = from + below(Math.max(1, to - from));
  const times = [
    ...Array.from({ length: below(10) }, () => from + below(Math.max(1, to - from))),
    ...Array.from({ length: oneOf([0, 0, 20, 60]) }, () => burst + below(12 * MINUTE)),
  ].filter((at) => at < to);
  const numbers = new Map<number, number>();
  const values = times.map((at) => {
    const { player_key } = oneOf(players);
    const draw_no = (numbers.get(player_key) ?? 0) + 1;
    numbers.set(player_key, draw_no);
    const award_price_cents = oneOf([0, 100, 888, 888, 8_800]);
    const state: PayoutState =
      award_price_cents === 0 ? "waiting_delivery" : oneOf(["paid", "paid", "refused", "queued"]);
    const of = { player_key };
    return { created_at: new Date(at), draw_no, award_price_cents, state, record: of, payout: of };
  });
  const [anyone] = players;
  if (anyone !== undefined) {
    await makeRecords(db, round, anyone, values);
  }
}

/** Excludes a player once or twice; some kinds hold payouts. */
async function exclude({ db, sql }: TestDb, { below, oneOf }: Dice, key: number, now: number) {
  const until = new Date(Math.floor(now / 1_000) * 1_000 + DAY);
  for (let made = 1 + below(2); made > 0; made -= 1) {
    const values = { player_key: key, kind: oneOf(["cooling_off", "risk", "staff"] as const) };
    const more = { reason: "because", source: "operator", until, made_by: "test" } as const;
    await db
      .insertInto("exclusion")
      .values({ ...values, ...more })
      .execute();
  }
  await sql`update player set excluded_until = ${until} where player_key = ${key}`;
}

async function makePlayers(t: TestDb, { below, oneOf }: Dice, now: number) {
  const { db } = t;
  const players: MadePlayer[] = [];
  const ago = () => new Date(now - MINUTE - below(8 * DAY)).toISOString();
  for (let made = 0; made < 6; made += 1) {
    const player = await makePlayer(
      db,
      made === 0 ? { blocked: true, blocked_at: new Date() } : {},
    );
    const { player_id, player_key, user_name } = player;
    const rows = () => Array.from({ length: below(8) }, () => ({ user_name, created_at: ago() }));
    const amount = () => `${oneOf([5, 12, 100, 120, 1_000])}.00`;
    await feed(
      db,
      "deposits",
      rows().map((row) => depositOf(player_id, { amount: amount(), ...row })),
    );
    const bets = rows().map((row) => betOf(player_id, { valid_bet_amount: amount(), ...row }));
    await feed(db, "bets", bets);
    if (below(2) === 0) {
      await makeExtraTime(db, { player_key, tag: oneOf(TAGS) });
    }
    if (made === 1) {
      await exclude(t, { below, oneOf }, player_key, now);
    }
    players.push(player);
  }
  return players;
}

export async function clearInstallation({ db }: TestDb): Promise<void> {
  await kysely.raw(`truncate ${TABLES} cascade`).execute(db);
}

/** Replaces the present installation. */
export async function makeInstallation(t: TestDb, dice: Dice): Promise<void> {
  const { db, sql } = t;
  const { below, oneOf } = dice;
  const now = Date.now();
  await clearInstallation(t);
  if (below(3) === 0) {
    const value = oneOf(["0.00", "20.00", "300.00"]);
    await sql`insert into setting (key, value, changed_by) values ('goods_value', ${value}, 'test')`;
  }
  const pools = await makePools(t, dice, now);
  const players = await makePlayers(t, dice, now);
  const kept = below(3) === 0 ? pools : pools.slice(1);
  for (let made = 4 + below(5); made > 0; made -= 1) {
    const [from, to] = randomTimes(dice, now);
    const start_date = dayOf(from);
    const pool_id = oneOf(kept);
    const round = await makeRound(db, {
      pool_id,
      ...randomRule(dice),
      tag: oneOf(TAGS),
      rounds_status: below(3) === 0 ? 0 : 1,
      achieve_start_time: new Date(from - below(2) * DAY),
      achieve_end_time: new Date(to),
      start_time: new Date(from),
      end_time: new Date(to),
      start_date,
      created_at: new Date(Math.min(now, from - below(2) * DAY)),
      deleted_at: below(8) === 0 ? new Date() : null,
    });
    // The pool has its prizes already.
    await sql`delete from prize where id = ${round.prize_id}`;
    const prizes = await sql<{ id: number }>`select id from prize where pool_id = ${pool_id}`;
    const { id: prize_id } = oneOf(prizes);
    if (from < now && below(3) > 0) {
      await makeDraws(db, dice, { ...round, prize_id }, players, [from, Math.min(to, now)]);
    }
    await ((made > 2 || from < now - 27 * DAY) && sql`select rollup_fold()`);
  }
}
