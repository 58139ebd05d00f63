/** Operators of the console. Names are compared without case. */
import { AppError } from "@red/contract/platform/errors";
import { NEW_ADDRESS_CODES_MAX } from "@red/contract/platform/limits";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import { addressGroup } from "#platform/http/address-group";
import { auditIdAt } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import type { Attempt } from "./login-failure-sql.ts";
import { IS_OPEN } from "./session-sql.ts";

/** How long a new or reset operator may bind an authenticator (behaviour §9). */
export const BIND_HOURS = 24;

const bindUntil = sql<Date>`now() + make_interval(hours => ${BIND_HOURS}::int)`;

const SECRETS = [
  "id",
  "name",
  "roles",
  "password_hash",
  "totp_secret",
  "totp_pending",
  "bind_until",
  "disabled",
] as const;

/**
 * `totp_secret`: sealed seed of the bound authenticator, null until a first valid code has bound one.
 * `totp_pending`: sealed seed that can be bound until `bind_until`.
 */
export type OperatorSecrets = Readonly<
  Pick<Selectable<Database["operator"]>, (typeof SECRETS)[number]>
>;

function operatorNamed(db: Db, name: string) {
  return db
    .selectFrom("operator")
    .select(SECRETS)
    .where("name_key", "=", sql<string>`lower(${name})`);
}

export async function selectOperator(db: Db, name: string): Promise<OperatorSecrets | null> {
  return (await operatorNamed(db, name).executeTakeFirst()) ?? null;
}

async function selectAddresses(db: Db, name: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ address: string }>`
    select distinct a.address
    from operator o join audit_log a on a.object_type = 'operator' and a.object_id = o.id::text
    where o.name_key = lower(${name}) and a.action = 'log_in' and a.outcome = 'done'
      and a.address is not null and a.at > now() - interval '30 days'`.execute(db);
  return new Set(rows.map((one) => addressGroup(one.address)));
}

/** Running queries by account name. */
const READING = new WeakMap<Db, Map<string, Promise<ReadonlySet<string>>>>();

/**
 * Returns whether the operator has signed in from this address group in the last 30 days. Parallel callers
 * share one query, so that many unknown callers do not take all connections.
 */
export async function hasSignedInFrom(db: Db, { name, address }: Attempt): Promise<boolean> {
  const reading = READING.get(db) ?? new Map<string, Promise<ReadonlySet<string>>>();
  READING.set(db, reading);
  const addresses =
    reading.get(name) ?? selectAddresses(db, name).finally(() => reading.delete(name));
  reading.set(name, addresses);
  return (await addresses).has(address);
}

const isWrongCode = (id: number, since: RawBuilder<unknown>) => sql<boolean>`
  object_type = 'operator' and object_id = ${String(id)} and id >= ${auditIdAt(since)}
  and outcome = 'refused' and after ->> 'new_address' = 'true'`;

/**
 * Throws `login_codes_locked`. Lock the operator's row first: each wrong code must count before the next
 * code is checked.
 */
export async function requireCodesLeft(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ minutes: number }>`
    select greatest(1, ceil(extract(epoch from at + interval '1 hour' - now()) / 60))::int as minutes from audit_log
    where ${isWrongCode(id, sql`now() - interval '1 hour'`)}
    order by id desc offset ${NEW_ADDRESS_CODES_MAX - 1} limit 1`.execute(tx);
  const [lock] = rows;
  if (lock !== undefined) {
    throw new AppError("login_codes_locked", { ...lock });
  }
}

/**
 * Counts wrong codes from new addresses within 7 days and since the last change of the password. Such codes
 * mean that somebody else may know the password.
 */
export async function countWrongCodes(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from audit_log
    where ${isWrongCode(id, sql`now() - interval '7 days'`)} and id > coalesce((
      select max(id) from audit_log
      where object_type = 'operator' and object_id = ${String(id)} and outcome = 'done'
        and action in ('change_password', 'reset_password')), 0)`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function lockOperator(tx: Tx, name: string): Promise<OperatorSecrets | null> {
  return (await operatorNamed(tx, name).forUpdate().executeTakeFirst()) ?? null;
}

export async function lockOperatorById(tx: Tx, id: number): Promise<OperatorSecrets | null> {
  const query = tx.selectFrom("operator").select(SECRETS).where("id", "=", id).forUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

/** Returns all operators without secrets, oldest first. */
export async function selectOperators(db: Db) {
  return await db
    .selectFrom("operator as o")
    .select(["o.id", "o.name", "o.roles", "o.disabled", "o.created_at", "o.bind_until"])
    .select(sql<boolean>`o.totp_secret is not null`.as("bound"))
    .select([
      sql<number>`(select count(*) from session s where s.operator_id = o.id and ${IS_OPEN})`.as(
        "sessions",
      ),
      sql<Date | null>`(select max(s.seen_at) from session s where s.operator_id = o.id)`.as(
        "seen_at",
      ),
    ])
    .orderBy("o.id")
    .execute();
}

export async function hasOperator(db: Db): Promise<boolean> {
  const row = await db.selectFrom("operator").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Returns the id, or null if the name is taken. The time for binding an authenticator starts now. */
export async function insertOperator(
  tx: Tx,
  operator: Pick<OperatorSecrets, "name" | "roles" | "password_hash">,
): Promise<number | null> {
  const row = await tx
    .insertInto("operator")
    .values({ ...operator, bind_until: bindUntil })
    .onConflict((conflict) => conflict.constraint("operator__name_unique").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function updateOperator(
  tx: Tx,
  id: number,
  values: Partial<Pick<OperatorSecrets, "password_hash" | "totp_pending" | "roles" | "disabled">>,
): Promise<void> {
  await tx.updateTable("operator").set(values).where("id", "=", id).execute();
}

/** Removes the bound authenticator, so that the next sign-in shows a new seed. */
export async function clearAuthenticator(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("operator")
    .set({ totp_secret: null, totp_pending: null, totp_step: null, bind_until: bindUntil })
    .where("id", "=", id)
    .execute();
}

export async function bindPendingSeed(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("operator")
    .set((row) => ({ totp_secret: row.ref("totp_pending"), totp_pending: null }))
    .where("id", "=", id)
    .execute();
}

/** Returns false if this time step or a later step was already used. */
export async function useTotpStep(tx: Tx, id: number, step: number): Promise<boolean> {
  const result = await tx
    .updateTable("operator")
    .set({ totp_step: step })
    .where("id", "=", id)
    .where((row) => row.or([row("totp_step", "is", null), row("totp_step", "<", step)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Lets only one transaction at a time create the first operator, or take roles or access away. */
export async function lockOperators(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first_operator', 0))`.execute(tx);
}

/**
 * Returns whether another administrator can sign in. If this operator has an authenticator, the other
 * administrator must have one too.
 */
export async function hasOtherAdmin(tx: Tx, { id, totp_secret }: OperatorSecrets) {
  const row = await tx
    .selectFrom("operator")
    .select("id")
    .where("id", "<>", id)
    .where("disabled", "=", false)
    .where(sql<boolean>`(totp_secret is not null or ${totp_secret === null})`)
    .where(sql<boolean>`'admin' = any(roles)`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
