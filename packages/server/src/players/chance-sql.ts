/**
 * What a player's draw chances follow from (behaviour §4): the deposits or bets that count, the
 * records, the extra times. The two set-based reads serve the draw queue; whoever decides on them
 * reads the facts, with their version, first: a change after that is then seen at the commit.
 */
import {
  chancesOf,
  countedRule,
  earnedDraws,
  FACTS_MAX,
  nextChance,
  NO_FACTS,
} from "@red/engine/chances";
import type { Chances, EarningFacts, RoundRule } from "@red/engine/chances";
import { sql } from "kysely";
import { anyId } from "#platform/any-id";
import type { Db } from "#platform/connection";
import { selectEventFacts } from "./event-sql.ts";

/** A rule with the window in which rows count; ends to the second include that second. */
export interface EarningRule extends RoundRule {
  readonly achieve_start_time: Date;
  readonly achieve_end_time: Date;
}

/** A round as its chances and its sentence need it. */
export interface ChanceRound extends EarningRule {
  readonly id: number;
  readonly rounds_name: string;
  readonly tag: string;
  readonly turnover: number;
  readonly start_time: Date;
  readonly end_time: Date;
  /** By the database's clock nothing that happens from now on can count any more. */
  readonly is_window_over: boolean;
}

/** Facts of a player and the player's version, of one snapshot. */
export interface VersionedFacts {
  readonly version: number;
  readonly facts: EarningFacts;
}

/** What a player has used of the chances in a round, and the extra times that are left. */
export interface ChanceUse {
  /** Records in the round. */
  readonly already: number;
  /** Records in the round that used an earned chance. */
  readonly earned_used: number;
  /** Records in the round that used an extra time. */
  readonly extra_used_here: number;
  /** Extra times of the group, unused and not expired, earliest expiry first. */
  readonly extras: readonly { readonly id: number; readonly expire_time: Date }[];
}

function rounds(db: Db) {
  return db
    .selectFrom("activity as a")
    .select(["a.id", "a.rounds_name", "a.tag", "a.turnover", "a.start_time", "a.end_time"])
    .select(["a.condition_name", "a.condition_formula", "a.condition_type"])
    .select(["a.condition_value_cents", "a.condition_times"])
    .select(["a.achieve_start_time", "a.achieve_end_time"])
    .select(
      sql<boolean>`statement_timestamp() >= a.achieve_end_time + interval '1 second'`.as(
        "is_window_over",
      ),
    )
    .where("a.deleted_at", "is", null);
}

/** A round by its number; null when there is none or it was deleted. */
export async function selectRound(db: Db, rounds_id: number): Promise<ChanceRound | null> {
  return (await rounds(db).where("a.id", "=", anyId(rounds_id)).executeTakeFirst()) ?? null;
}

/** A round by the business day of its start and its name; null as above. */
export async function selectRoundByName(
  db: Db,
  start_date: string,
  rounds_name: string,
): Promise<ChanceRound | null> {
  const round = await rounds(db)
    .where("a.start_date", "=", start_date)
    .where("a.rounds_name", "=", rounds_name)
    .executeTakeFirst();
  return round ?? null;
}

/**
 * Rounds that are not deleted, newest start first, at most `limit`. `active`: only those that are
 * switched on and, by the database's clock, between their start and the end of their last second.
 */
export async function selectRounds(
  db: Db,
  options: { readonly active: boolean; readonly limit: number },
): Promise<ChanceRound[]> {
  let matches = rounds(db);
  if (options.active) {
    matches = matches.where("a.rounds_status", "=", 1).where(
      sql<boolean>`statement_timestamp() >= a.start_time
          and statement_timestamp() < a.end_time + interval '1 second'`,
    );
  }
  return await matches
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc")
    .limit(options.limit)
    .execute();
}

/**
 * Rounds between their start and the end of their last second, paused ones too, newest start first;
 * without one the latest that has begun, if any. At most `limit`.
 */
export async function selectPresentRounds(
  db: Db,
  limit: number,
): Promise<{ readonly rounds: ChanceRound[]; readonly are_current: boolean }> {
  const begun = rounds(db)
    .where(sql<boolean>`a.start_time <= statement_timestamp()`)
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc");
  const current = await begun
    .where(sql<boolean>`statement_timestamp() < a.end_time + interval '1 second'`)
    .limit(limit)
    .execute();
  return current.length > 0
    ? { rounds: current, are_current: true }
    : { rounds: await begun.limit(1).execute(), are_current: false };
}

/**
 * What the players' deposits or bets amount to under the rule, with the players' versions: one
 * statement over the table that the rule counts, through (player_key, created_at), in the partitions
 * of its window only. No limit and whitelist count no row and read none. A player_key that does not
 * exist is left out. Throws RangeError as `countedRule` does.
 */
export async function selectEarningFacts(
  db: Db,
  rule: EarningRule,
  player_keys: readonly number[],
): Promise<Map<number, VersionedFacts>> {
  const counted = countedRule(rule);
  if (counted === null) {
    const rows = await db
      .selectFrom("player")
      .select(["player_key", "version"])
      .where("player_key", "=", sql<number>`any(${player_keys}::bigint[])`)
      .execute();
    return new Map(rows.map((row) => [row.player_key, { version: row.version, facts: NO_FACTS }]));
  }
  const window = {
    start: rule.achieve_start_time,
    end: rule.achieve_end_time,
    value_cents: counted.value_cents,
    limit: FACTS_MAX,
  };
  const rows = await selectEventFacts(db, counted.source, window, player_keys);
  return new Map(rows.map(({ player_key, version, ...facts }) => [player_key, { version, facts }]));
}

/**
 * What each of the players has used in the round and which extra times of the group are left, by the
 * database's clock: one statement, a few index look-ups per player. Every given player is answered.
 * An extra time is marked as used in the transaction of its record, so the records tell both.
 */
export async function selectChanceUse(
  db: Db,
  rounds_id: number,
  tag: string,
  player_keys: readonly number[],
): Promise<Map<number, ChanceUse>> {
  const { rows } = await sql<{
    player_key: number;
    already: number;
    earned_used: number;
    extras: { id: number; expire_ms: number }[];
  }>`
    select x.player_key, r.already, r.earned_used, e.extras
    from unnest(${player_keys}::bigint[]) as x (player_key)
    cross join lateral (
      select count(*) as already, count(*) filter (where extra_time_id is null) as earned_used
      from draw_record
      where draw_record.player_key = x.player_key and rounds_id = ${rounds_id}::int
    ) r
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', id,
          'expire_ms', (extract(epoch from expire_time) * 1000)::bigint)
        order by expire_time, id), '[]') as extras
      from extra_time
      where extra_time.player_key = x.player_key and tag = ${tag} and used_log_id is null
        and expire_time > statement_timestamp() - interval '1 second'
    ) e`.execute(db);
  return new Map(
    rows.map(({ player_key, already, earned_used, extras }) => [
      player_key,
      {
        already,
        earned_used,
        extra_used_here: already - earned_used,
        extras: extras.map((extra) => ({
          id: extra.id,
          expire_time: new Date(extra.expire_ms),
        })),
      },
    ]),
  );
}

/** A player's chances in a round, and what is missing for the next one. */
export interface PlayerChances extends Chances {
  /** Null when no amount can earn one: the rule has none to give, or its window is over. */
  readonly next: { readonly source: "deposit" | "bet"; readonly missing_cents: number } | null;
}

/** The chances of one known player in a round, as `lottimes` answers them (behaviour §4). */
export async function selectChances(
  db: Db,
  round: ChanceRound,
  player_key: number,
): Promise<PlayerChances> {
  // What was used is read first, so that no draw made in between counts without its chance.
  const uses = await selectChanceUse(db, round.id, round.tag, [player_key]);
  const known = await selectEarningFacts(db, round, [player_key]);
  const use = uses.get(player_key);
  const facts = known.get(player_key)?.facts;
  if (use === undefined || facts === undefined) {
    throw new RangeError(`no such player: ${player_key}`);
  }
  const chances = chancesOf({
    earned: earnedDraws(round, facts),
    already: use.already,
    extra_unused: use.extras.length,
    extra_used_here: use.extra_used_here,
  });
  return { ...chances, next: round.is_window_over ? null : nextChance(round, facts, chances) };
}
