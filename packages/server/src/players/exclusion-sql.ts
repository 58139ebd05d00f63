/** Exclusions (behaviour §3). Lock the player before writing an exclusion (player-sql.ts). */
import type { exclusionRoutes } from "@red/contract/players/exclusion";
import { HOLDING_KINDS } from "@red/contract/platform/codes";
import type { Received } from "@red/contract/platform/route";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import { allOf, anyId, countOf, plainArray } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import type { Database } from "#platform/db/schema";

/** SQL: the time when an exclusion `e` ends by itself. The second of `until` belongs to the exclusion. */
const ENDS = sql`coalesce(e.until + interval '1 second', 'infinity')`;
const IN_FORCE = sql<boolean>`(e.lifted_at is null and ${ENDS} > statement_timestamp())`;
const HOLDS = sql`e.kind in (${sql.join(HOLDING_KINDS.map((kind) => sql.lit(kind)))})`;

export type ExclusionRow = Selectable<Database["exclusion"]> & {
  readonly user_name: string;
  readonly in_force: boolean;
};

function exclusions(db: Db) {
  return db
    .selectFrom("exclusion as e")
    .innerJoin("player as p", "p.player_key", "e.player_key")
    .selectAll("e")
    .select(["p.user_name", IN_FORCE.as("in_force")]);
}

export async function selectExclusions(
  db: Db,
  { user_name, kind, state, page, size }: Received<typeof exclusionRoutes.list>["query"],
) {
  const isMatch = allOf(
    user_name !== undefined && sql`p.user_name_key = lower(${user_name})`,
    kind !== undefined && sql`e.kind = ${kind}`,
    state !== undefined && sql`${IN_FORCE} = ${state === "in_force"}`,
  );
  const matches = exclusions(db).where(isMatch);
  const total = await countOf(matches);
  const rows = await matches
    .orderBy("e.id", "desc")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return { rows, total };
}

export async function selectExclusion(db: Db, id: number): Promise<ExclusionRow | null> {
  return (await exclusions(db).where("e.id", "=", anyId(id)).executeTakeFirst()) ?? null;
}

/** Returns the exclusions of these players that are in force, the longest first. */
export async function selectInForce(
  db: Db,
  player_keys: readonly number[],
): Promise<ExclusionRow[]> {
  return await exclusions(db)
    .where("e.player_key", "=", sql<number>`any(${plainArray(player_keys)}::bigint[])`)
    .where(IN_FORCE)
    .orderBy(sql`${ENDS} desc`)
    .orderBy("e.id")
    .execute();
}

export type NewExclusion = Readonly<
  Pick<Selectable<Database["exclusion"]>, "player_key" | "kind" | "reason" | "until">
>;

export async function insertExclusions(
  tx: Tx,
  made: readonly NewExclusion[],
  source: "operator" | "file",
  made_by: string,
): Promise<void> {
  await sql`
    insert into exclusion (player_key, kind, reason, until, source, made_by)
    select x.player_key, x.kind, x.reason, x.until, ${source}, ${made_by}
    from json_to_recordset(${JSON.stringify(made)}::json)
      as x (player_key bigint, kind text, reason text, until timestamptz)`.execute(tx);
}

export async function updateLifted(tx: Tx, id: number, by: string, reason: string): Promise<void> {
  await tx
    .updateTable("exclusion")
    .set({ lifted_by: by, lifted_at: sql<Date>`clock_timestamp()`, lift_reason: reason })
    .where("id", "=", id)
    .execute();
}

/**
 * Updates `excluded_until` of locked players from their exclusions. Raises their versions, so
 * running draws are decided again.
 */
export async function updateExcluded(tx: Tx, player_keys: readonly number[]): Promise<void> {
  await sql`
    update player p set version = version + 1, draw_version = draw_version + 1,
      excluded_until = (select max(${ENDS}) from exclusion e
        where e.player_key = p.player_key and e.lifted_at is null)
    where player_key = any(${plainArray(player_keys)}::bigint[])`.execute(tx);
}

/**
 * SQL: the time when a payout queued now may be sent: now, or when the last exclusion of the player
 * that holds payouts ends (behaviour §6). A claim then only compares times. No end becomes the end
 * of the year 9998, because subtracting `infinity` is an error.
 */
export function payoutDue(player_key: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`greatest(clock_timestamp(), (
    select max(least(${ENDS}, timestamptz '9999-01-01'))
    from exclusion e where e.player_key = ${player_key} and e.lifted_at is null and ${HOLDS}))`;
}

export async function selectQueuedPlayers(db: Db, player_keys: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from unnest(${plainArray(player_keys)}::bigint[]) x (player_key)
    where exists (select from draw_record r join payout p on p.log_id = r.id
      where r.player_key = x.player_key and p.state = 'queued')`.execute(db);
  return oneRow(rows).count;
}

/**
 * Holds or releases the queued payouts of locked players. Returns the cents that are due now. First locks every payout
 * that may become queued: it waits for running changes, and later changes read the new exclusions.
 */
export async function updateHeldPayouts(tx: Tx, player_keys: readonly number[]): Promise<number> {
  const { rows } = await sql<{ log_id: number }>`
    select p.log_id from draw_record r join payout p on p.log_id = r.id
    where r.player_key = any(${plainArray(player_keys)}::bigint[]) and p.state not in ('paid', 'delivered')
    order by p.log_id for update of p`.execute(tx);
  const { rows: moved } = await sql<{ due: number }>`
    update payout p set next_at = ${payoutDue(sql`p.player_key`)}, updated_at = clock_timestamp()
    where p.log_id = any(${plainArray(rows.map(({ log_id }) => log_id))}::bigint[]) and p.state = 'queued'
    returning case when p.next_at <= clock_timestamp() then p.amount_cents else 0 end as due`.execute(
    tx,
  );
  return moved.reduce((sum, { due }) => sum + due, 0);
}
