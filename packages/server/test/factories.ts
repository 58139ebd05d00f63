/** Inserts rows for tests directly, with defaults and without the product's rules. */
import { randomUUID } from "node:crypto";
import type { PayoutState } from "@red/contract/platform/codes";
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { EVENT_EPOCH_MS, SLOTS } from "#platform/db/time-ids";
import { sql } from "kysely";
import type { Insertable, InsertQueryBuilder, InsertResult } from "kysely";

type Given<T extends keyof Database> = Partial<Insertable<Database[T]>>;

let count = 0;

/** A number that is unique within the test file. */
function next(): number {
  count += 1;
  return count;
}

function hours(from: Date, amount: number): Date {
  return new Date(from.getTime() + amount * 3_600_000);
}

/** Inserts a row and returns its id. */
export async function insertedId<T extends keyof Database>(
  row: InsertQueryBuilder<Database, T, InsertResult>,
): Promise<number> {
  return (await row.returning(sql<number>`id`.as("id")).executeTakeFirstOrThrow()).id;
}

/** Makes an operator who cannot sign in; returns the id. */
export async function makeOperator(db: Db, name: string, values: Given<"operator"> = {}) {
  const never = { password_hash: "never used here", bind_until: new Date() };
  return await insertedId(db.insertInto("operator").values({ name, ...never, ...values }));
}

/** Makes a pool; returns its id. */
export async function makePool(db: Db, values: Given<"pool"> = {}) {
  return await insertedId(db.insertInto("pool").values({ pool_name: `pool ${next()}`, ...values }));
}

/** Makes a prize of 8.88 with plenty of stock; returns its id. */
export async function makePrize(db: Db, values: Given<"prize"> & { readonly pool_id: number }) {
  return await insertedId(
    db.insertInto("prize").values({
      award_name: `prize ${next()}`,
      award_price_cents: 888,
      weight: 100,
      award_total: 1_000_000,
      floors: false,
      ...values,
    }),
  );
}

export interface MadeRound {
  readonly rounds_id: number;
  readonly pool_id: number;
  readonly prize_id: number;
}

/** Makes a round without condition, from an hour ago until tomorrow, with a prize in its pool. */
export async function makeRound(db: Db, values: Given<"activity"> = {}) {
  const pool_id = values.pool_id ?? (await makePool(db));
  const now = new Date();
  const id = await insertedId(
    db.insertInto("activity").values({
      rounds_name: `round ${next()}`,
      tag: "weekend",
      red_code: "RED_PACKET",
      condition_name: "0",
      condition_formula: "0",
      condition_type: "0",
      condition_value_cents: 0,
      condition_times: 1,
      turnover: 3,
      achieve_start_time: hours(now, -24),
      achieve_end_time: hours(now, 24),
      start_time: hours(now, -1),
      end_time: hours(now, 24),
      start_date: now.toISOString().slice(0, 10),
      ...values,
      pool_id,
    }),
  );
  await sql`select ensure_draw_partition(${id})`.execute(db);
  return { rounds_id: id, pool_id, prize_id: await makePrize(db, { pool_id }) };
}

export interface MadePlayer {
  readonly player_key: number;
  readonly player_id: string;
  readonly user_name: string;
}

export async function makePlayer(db: Db, values: Given<"player"> = {}) {
  const number = next();
  return await db
    .insertInto("player")
    .values({ player_id: `p-${number}`, user_name: `player-${number}`, ...values })
    .returning(["player_key", "player_id", "user_name"])
    .executeTakeFirstOrThrow();
}

/** Makes an extra time that is valid for an hour; returns its id. */
export async function makeExtraTime(
  db: Db,
  values: Given<"extra_time"> & { readonly player_key: number },
) {
  const expire_time = hours(new Date(), 1);
  const granted = { tag: "weekend", granted_by: "root-op", expire_time };
  return await insertedId(db.insertInto("extra_time").values({ ...granted, ...values }));
}

export interface RecordValues {
  readonly award_name?: string;
  readonly award_price_cents?: number;
  readonly state?: PayoutState;
  readonly created_at?: Date;
  readonly draw_no?: number;
  readonly record?: Given<"draw_record">;
  readonly payout?: Given<"payout">;
}

export interface MadeRecord {
  readonly log_id: number;
  readonly trans_sn: string;
}

/** Values that the constraints require in this state. */
function payoutDefaults(state: PayoutState): Given<"payout"> {
  return {
    state,
    ...(state === "paid" || state === "delivered" ? { paid_at: new Date() } : {}),
    ...(state === "refused" || state === "closed" ? { fail_reason: "account frozen" } : {}),
    ...(state === "sending" ? { lease_until: hours(new Date(), 1) } : {}),
    ...(state === "unknown" || state === "check" ? { unknown_since: new Date() } : {}),
    ...(state === "check" ? { check_reason: "unanswered" as const } : {}),
  };
}

/** Makes records of one player in one round, in the order of `values`. */
export async function makeRecords(
  db: Db,
  round: MadeRound,
  player: MadePlayer,
  values: readonly RecordValues[],
): Promise<MadeRecord[]> {
  const rows = values.map((one) => {
    const award_price_cents = one.award_price_cents ?? 888;
    const created_at = one.created_at ?? new Date();
    const number = next();
    const id = (created_at.getTime() - EVENT_EPOCH_MS) * SLOTS + (number % SLOTS);
    const state = one.state ?? (award_price_cents === 0 ? "waiting_delivery" : "queued");
    const trans_sn = randomUUID();
    const ids = { rounds_id: round.rounds_id, player_key: player.player_key, created_at };
    const record: Insertable<Database["draw_record"]> = {
      id,
      ...ids,
      draw_no: one.draw_no ?? number,
      prize_id: round.prize_id,
      award_name: one.award_name ?? "8.88 red packet",
      award_price_cents,
      turnover: 3,
      rule_version: 1,
      pool_id: round.pool_id,
      pool_version: 1,
      ticket: 0,
      fallback_ticket: null,
      exhausted: [],
      extra_time_id: null,
      ...one.record,
    };
    const payout = {
      log_id: id,
      ...ids,
      trans_sn,
      award_name: record.award_name,
      amount_cents: award_price_cents,
      turnover: 3,
      red_code: "RED_PACKET",
      state,
      ...payoutDefaults(state),
      ...one.payout,
    };
    return { record, payout };
  });
  for (let at = 0; at < rows.length; at += 500) {
    const part = rows.slice(at, at + 500);
    const records = part.map(({ record }) => record);
    await db.insertInto("draw_record").values(records).execute();
    const payouts = part.map(({ payout }) => payout);
    await db.insertInto("payout").values(payouts).execute();
  }
  return rows.map(({ payout: { log_id, trans_sn } }) => ({ log_id, trans_sn }));
}

export async function makeRecord(db: Db, values: RecordValues = {}): Promise<MadeRecord> {
  const [made] = await makeRecords(db, await makeRound(db), await makePlayer(db), [values]);
  if (made === undefined) {
    throw new Error("no record was made");
  }
  return made;
}
