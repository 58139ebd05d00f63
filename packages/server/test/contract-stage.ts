/**
 * A small world for the tests of the whole contract: rounds of every kind, players, deposits and bets,
 * records in every state, and operators who may do nothing.
 */
import { randomBytes } from "node:crypto";
import { PAYOUT_STATES } from "@red/contract/lookups";
import type { PayoutState } from "@red/contract/lookups";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { insertSession } from "#identity/session-sql";
import { tokenHash } from "#identity/operator-auth";
import { makePlayer, makePool, makePrize, makeRecords, makeRound } from "#test/factories";
import { sql } from "kysely";
import type { MadePlayer, MadeRecord, MadeRound } from "#test/factories";
import { betOf, depositOf, feed } from "#test/ingest-factory";

export interface Stage {
  /** Running, without a condition: everybody has five draws. */
  readonly open: MadeRound;
  /** Running, one draw for every full 120 of deposits. */
  readonly earned: MadeRound;
  readonly paused: MadeRound;
  readonly over: MadeRound;
  readonly whitelist: MadeRound;
  /** In no round. */
  readonly idle_pool: string;
  /** A prize that nobody has drawn, in a pool of its own. */
  readonly spare: {
    readonly prize_id: number;
    readonly pool_id: number;
    readonly pool_name: string;
  };
  readonly player: MadePlayer;
  readonly blocked: MadePlayer;
  readonly records: Readonly<Record<PayoutState, MadeRecord>>;
  /** Access token of an operator without any role. */
  readonly powerless: string;
}

/** Signs an operator in; answers the access token. */
export async function openSession(db: Db, name: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const { id } = await db
    .selectFrom("operator")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  await inTransaction(db, (tx) =>
    insertSession(tx, { token_hash: tokenHash(token), operator_id: id }),
  );
  return token;
}

/** A version that nobody guesses. */
const UNGUESSED_VERSION = 123_456;

const PHYSICAL: ReadonlySet<PayoutState> = new Set(["waiting_delivery", "delivered"]);

async function makeStates(
  db: Db,
  round: MadeRound,
  player: MadePlayer,
): Promise<Record<PayoutState, MadeRecord>> {
  const made = await makeRecords(
    db,
    round,
    player,
    PAYOUT_STATES.map((state) => ({
      state,
      award_price_cents: PHYSICAL.has(state) ? 0 : 888,
    })),
  );
  // One record was made for each state, in their order.
  return Object.fromEntries(PAYOUT_STATES.map((state, at) => [state, made[at]])) as Record<
    PayoutState,
    MadeRecord
  >;
}

/** Ids begin where no odd number lies, so that a number by itself finds nothing. */
async function startIds(db: Db): Promise<void> {
  for (const table of ["activity", "pool", "prize", "operator"]) {
    await sql.raw(`alter table ${table} alter column id restart with 70001`).execute(db);
  }
}

/** Fills an empty database. */
export async function makeStage(db: Db): Promise<Stage> {
  await startIds(db);
  const pool_id = await makePool(db, { pool_name: "舞台池" });
  await makePrize(db, { pool_id, award_name: "实物", award_price_cents: 0, award_total: 50 });
  await makePrize(db, { pool_id, award_name: "保底", award_price_cents: 100, floors: true });
  await makePool(db, { pool_name: "闲置池" });
  const spare = await makePool(db, { pool_name: "备用池" });
  const player = await makePlayer(db, { player_id: "stage-p", user_name: "stage-player" });
  const blocked = await makePlayer(db, { user_name: "stage-blocked", blocked: true });
  const deposit = {
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value_cents: 12_000,
  } as const;
  const past = { start_time: new Date("2024-05-10T12:00:00Z"), start_date: "2024-05-10" };
  const open = await makeRound(db, { pool_id, condition_times: 5, rounds_name: "舞台" });
  const made = {
    open,
    earned: await makeRound(db, { pool_id, ...deposit }),
    paused: await makeRound(db, { pool_id, rounds_status: 0, version: UNGUESSED_VERSION }),
    over: await makeRound(db, { pool_id, ...past, end_time: new Date("2024-05-10T14:00:00Z") }),
    whitelist: await makeRound(db, { pool_id, condition_name: "3" }),
  };
  const own = { user_name: player.user_name };
  const now = new Date().toISOString();
  await feed(db, "deposits", [depositOf(player.player_id, { ...own, created_at: now })]);
  await feed(db, "bets", [betOf(player.player_id, { ...own, created_at: now })]);
  await db
    .insertInto("operator")
    .values({ name: "powerless", password_hash: "never", bind_until: new Date(), roles: [] })
    .execute();
  return {
    ...made,
    idle_pool: "闲置池",
    spare: {
      prize_id: await makePrize(db, { pool_id: spare, version: UNGUESSED_VERSION }),
      pool_id: spare,
      pool_name: "备用池",
    },
    player,
    blocked,
    records: await makeStates(db, made.over, player),
    powerless: await openSession(db, "powerless"),
  };
}

/** Frees the names that calls have taken: players get another one, all else goes. Starts what was stopped. */
export async function freeNames(db: Db, stage: Stage): Promise<void> {
  const { open, earned, paused, over, whitelist, idle_pool, spare, player, blocked } = stage;
  const rounds = [open, earned, paused, over, whitelist].map(({ rounds_id }) => rounds_id);
  const players = [player.player_key, blocked.player_key];
  await db
    .updateTable("activity")
    .set({ deleted_at: sql<Date>`now()` })
    .where("id", "not in", rounds)
    .execute();
  await db
    .updateTable("pool")
    .set({ deleted_at: sql<Date>`now()` })
    .where("id", "not in", [open.pool_id, spare.pool_id])
    .where("pool_name", "<>", idle_pool)
    .execute();
  await sql`
    update player set player_id = 'gone ' || player_key, user_name = 'gone ' || player_key
    where player_key <> all (${players})`.execute(db);
  await sql`delete from draw_request`.execute(db);
  await sql`delete from stop_switch`.execute(db);
  await sql`delete from message_code where red_code <> 'RED_PACKET'`.execute(db);
  await sql`delete from activity_tag where tag not in ('weekend', 'dragon')`.execute(db);
}

/** No other row of this name: what has it goes by another one from now on. */
async function freeName(db: Db, name: string, id: number): Promise<void> {
  await sql`update pool set pool_name = 'gone ' || id
    where pool_name = ${name} and id <> ${id}`.execute(db);
}

/**
 * Puts back what made-up calls have taken away: the stage's rounds, pools and players are as it made them, and
 * nothing is stopped. What they have made besides stays.
 */
export async function mendStage(db: Db, stage: Stage): Promise<void> {
  const { open, paused, idle_pool, spare, player } = stage;
  await db.deleteFrom("stop_switch").execute();
  await freeName(db, spare.pool_name, spare.pool_id);
  await sql`update pool set deleted_at = null where id = ${open.pool_id}`.execute(db);
  await sql`update pool set deleted_at = null, pool_name = ${spare.pool_name}
    where id = ${spare.pool_id}`.execute(db);
  const idle = await db
    .selectFrom("pool")
    .select("id")
    .where("pool_name", "=", idle_pool)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (idle === undefined) {
    await makePool(db, { pool_name: idle_pool });
  }
  await sql`update prize set deleted_at = null, award_name = 'spare ' || id
    where id = ${spare.prize_id}`.execute(db);
  await sql`update activity set deleted_at = null, rounds_status = 1, pool_id = ${open.pool_id},
      rounds_name = 'stage ' || id, start_time = now() - interval '1 hour',
      end_time = now() + interval '1 day', condition_name = '0', condition_formula = '0',
      condition_type = '0', condition_value_cents = 0, condition_times = 5
    where id = ${open.rounds_id}`.execute(db);
  await sql`update activity set deleted_at = null, rounds_status = 0,
      rounds_name = 'stage ' || id
    where id = ${paused.rounds_id}`.execute(db);
  await sql`update player set player_id = ${player.player_id}, user_name = ${player.user_name},
      blocked = false, blocked_at = null
    where player_key = ${player.player_key}`.execute(db);
}
