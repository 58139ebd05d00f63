/** Changes that wait for a second person, and the audit rows that a change wrote (behaviour §16). */
import {
  APPROVAL_DAYS,
  APPROVAL_HOURS,
  APPROVALS_WAITING_MAX,
} from "@red/contract/approvals/approval";
import type { Approval, ApprovalState } from "@red/contract/approvals/approval";
import { AppError } from "@red/contract/platform/errors";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import { auditIdAt, OBJECT_NAME } from "#platform/audit";
import type { Actor, AuditEntry } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { inPortions } from "#platform/upkeep-job";
import { deleteOldRisked, RISKED_BESIDE } from "./risked-sql.ts";

export type Plan = Approval["plan"];

/** Fields that get a new value each time the change runs, unless the value existed before. */
const MADE = new Set(
  "rewritten left dropped id act_id batch_id job_id pool_created sessions_ended".split(" "),
);

type Fields = Readonly<Record<string, unknown>>;

/** Returns the value without new ids, times and counts. `was` is the old value; entries of a list are matched by id. */
function withoutMade(value: unknown, was: unknown): unknown {
  if (Array.isArray(value)) {
    const idOf = (one: unknown) => (one as Fields | null)?.["id"];
    const old = new Map([was].flat().map((one: unknown) => [idOf(one), one]));
    return value.map((one: unknown) => withoutMade(one, old.get(idOf(one))));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const old = was as Fields | null | undefined;
  const kept = Object.entries(value).filter(([key, one]) => !MADE.has(key) || old?.[key] === one);
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutMade(one, old?.[key])]));
}

function isMade(action: string, before: Plan[number]["before"]): boolean {
  return /^(?:create|copy|import)_/.test(action) || before?.["version"] === null;
}

/**
 * Returns the audit rows that the actor's request has written, except `known`, in a fixed order. Earlier
 * releases used MD5 for the digest: a change about players that waited during that upgrade differs on
 * approval and must be sent again.
 */
export async function selectPlan(
  tx: Tx,
  { request_id }: Actor,
  known: readonly number[] = [],
): Promise<Plan> {
  const { rows } = await sql<Plan[number]>`
    select action, object_type, object_id, ${OBJECT_NAME} as object_name, before, after, (
      select encode(sha256(convert_to(
        string_agg(b.object_type || ' ' || b.object_id, ',' order by b.object_type, b.object_id), 'UTF8')), 'hex')
      from audit_about b where b.audit_id = l.id and b.object_type in ('player', 'record')) as about
    from audit_log l
    where request_id = ${request_id} and not id = any(${known}::bigint[])
    order by action, object_type, object_id, after::text`.execute(tx);
  return rows.map(({ before, after, object_id, ...row }) => ({
    ...row,
    object_id: isMade(row.action, before) ? null : object_id,
    before,
    // The cast is safe: the values come from a JSON row.
    after: withoutMade(after, before) as typeof after,
  }));
}

/** Returns the ids of the audit rows that the actor's request has written so far. */
export async function selectRowIds(tx: Tx, { request_id }: Actor): Promise<number[]> {
  const rows = tx.selectFrom("audit_log").select("id").where("request_id", "=", request_id);
  return (await rows.execute()).map(({ id }) => id);
}

/** Returns the objects that the audit rows of the actor's request are about, except rows in `known`. */
export async function selectAbout(tx: Tx, { request_id }: Actor, known: readonly number[] = []) {
  const { rows } = await sql<{ about: AuditEntry["about"] | null }>`
    select json_object_agg(object_type, ids) as about from (
      select x.object_type, json_agg(distinct x.object_id::bigint) as ids
      from audit_log l cross join lateral (
        select l.object_type, l.object_id
        where l.object_type in ('activity', 'pool', 'prize', 'operator') and l.object_id ~ '^[0-9]+$'
        union select object_type, object_id from audit_about where audit_id = l.id) x
      where l.request_id = ${request_id} and not l.id = any(${known}::bigint[])
      group by x.object_type) y`.execute(tx);
  return rows[0]?.about ?? {};
}

type New = "call" | "file" | "maker_id" | "made_by" | "reason" | "risk_cents";

export async function insertApproval(
  tx: Tx,
  { input, plan, ...values }: Pick<Selectable<Database["approval"]>, New | "input" | "plan">,
): Promise<number> {
  const expires_at = sql<Date>`clock_timestamp() + make_interval(hours => ${APPROVAL_HOURS}::int)`;
  const row = { ...values, input: JSON.stringify(input), plan: JSON.stringify(plan), expires_at };
  const insert = tx.insertInto("approval").values(row).returning("id");
  return (await insert.executeTakeFirstOrThrow()).id;
}

/**
 * Throws `approval_many` if the operator has too many waiting changes. Locks the operator, so that parallel
 * calls are counted one by one.
 */
export async function requireRoom(tx: Tx, maker_id: number): Promise<void> {
  await sql`select from operator where id = ${maker_id} for update`.execute(tx);
  const { rows } = await sql`
    select from approval where maker_id = ${maker_id} and state = 'waiting' and expires_at > now()`.execute(
    tx,
  );
  if (rows.length >= APPROVALS_WAITING_MAX) {
    throw new AppError("approval_many", { max: APPROVALS_WAITING_MAX });
  }
}

/**
 * Periodic job: clears the stored input of ended changes, deletes these changes after `APPROVAL_DAYS`, and
 * deletes risked amounts after `ASKED_DAYS`.
 */
export async function trimApprovals(db: Db, signal: AbortSignal) {
  const over = sql`coalesce(decided_at, expires_at)`;
  const run = (change: RawBuilder<unknown>, which: RawBuilder<unknown>) =>
    inPortions(
      db,
      async (tx, limit) => {
        const done = await sql`${change} where id in (
          select id from approval where ${which} limit ${limit} for update skip locked)`.execute(
          tx,
        );
        return Number(done.numAffectedRows);
      },
      signal,
    );
  return {
    emptied: await run(
      sql`update approval set input = '{}', file = null`,
      sql`input <> '{}' and ${over} <= now()`,
    ),
    deleted: await run(
      sql`delete from approval`,
      sql`${over} <= now() - make_interval(days => ${APPROVAL_DAYS}::int)`,
    ),
    forgotten: await inPortions(db, deleteOldRisked, signal),
  };
}

const STATE = sql<ApprovalState>`
  case when a.state = 'waiting' and a.expires_at <= now() then 'expired' else a.state end`;

/**
 * An account is fresh for one day after its set-up by redctl, by the maker of the change, or by an account
 * that the maker had set up before. A person who approved the set-up counts like the maker, because that
 * person has seen the password. Returns the end of that day, or null if the account is not fresh.
 */
const freshUntil = (
  operator_id: RawBuilder<unknown>,
  made_by = sql`a.made_by`,
) => sql<Date | null>`(
  with recursive given as materialized (
    select o.id, o.name, l.at, l.actor_kind, array(
      select b.actor from audit_log b where b.request_id = l.request_id and b.action = 'approve_change' and b.outcome = 'done'
    ) || l.actor as givers
    from operator o join audit_log l on l.object_type = 'operator' and l.object_id = o.id::text
    where l.id > ${auditIdAt(sql`now() - make_interval(hours => ${APPROVAL_HOURS}::int)`)} and l.outcome = 'done'
      and l.action in ('create_operator', 'change_roles', 'enable_operator', 'reset_password', 'reset_totp')
  ), taken (id, name, at) as (
    select null::bigint, ${made_by}::text, '-infinity'::timestamptz
    union
    select given.id, given.name, given.at
    from taken join given on given.at > taken.at
      and (given.actor_kind = 'redctl' or taken.name = any(given.givers))
  )
  select max(at) + make_interval(hours => ${APPROVAL_HOURS}::int) from taken where id = ${operator_id})`;

const isFresh = (operator_id: RawBuilder<unknown>) =>
  sql<boolean>`${freshUntil(operator_id)} is not null`;

export interface Administrator {
  readonly name: string;
  readonly disabled: boolean;
  /** Whether the account has an authenticator. */
  readonly bound: boolean;
  /** Hours until an account that was created or reset may approve, rounded up. Null: the account may approve now. */
  readonly fresh_hours: number | null;
}

/** Whether this administrator could approve now. */
export function isAble({ disabled, bound, fresh_hours }: Administrator): boolean {
  return !disabled && bound && fresh_hours === null;
}

/**
 * Returns all administrators except the maker (null: redctl), with everything that they lack to approve the
 * maker's changes.
 */
export async function selectAdministrators(
  tx: Tx,
  maker: { readonly id: number; readonly name: string } | null,
): Promise<Administrator[]> {
  const { rows } = await sql<Administrator>`
    select o.name, o.disabled, o.totp_secret is not null as bound,
      ceil(extract(epoch from ${freshUntil(sql`o.id`, sql`${maker?.name ?? "redctl"}`)} - now()) / 3600)::int as fresh_hours
    from operator o
    where 'admin' = any(o.roles) and o.id is distinct from ${maker?.id ?? null}
    order by o.disabled, o.name`.execute(tx);
  return rows;
}

/**
 * The caller and the calls that the caller may make. A viewer sees changes by these calls and the viewer's own changes.
 */
export interface Viewer {
  readonly id: number;
  readonly calls: readonly string[];
}

const isSeen = ({ id, calls }: Viewer) =>
  sql<boolean>`(a.maker_id = ${id} or a.call = any(${[...calls]}::text[]))`;

const HEAD = [
  "a.id",
  "a.maker_id",
  "a.made_by",
  "a.made_at",
  "a.expires_at",
  "a.reason",
  "a.risk_cents",
  "a.plan",
  "a.decided_by",
  "a.decided_at",
  "a.note",
] as const;

/** Returns one page of changes, newest first, and the total number. */
export async function selectApprovals(
  db: Db,
  viewer: Viewer,
  { state, page, size }: { state?: ApprovalState | undefined; page: number; size: number },
) {
  const meant = db
    .selectFrom("approval as a")
    .where(isSeen(viewer))
    .where(state === undefined ? sql<boolean>`true` : sql<boolean>`${STATE} = ${state}`);
  const rows = await meant
    .leftJoin(RISKED_BESIDE.as("beside"), (join) => join.onRef("beside.id", "=", "a.id"))
    .select([...HEAD, "beside.risked"])
    .select([STATE.as("state"), isFresh(sql`${viewer.id}`).as("is_fresh")])
    .orderBy("a.id", "desc")
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const { total } = await meant
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return { rows, total };
}

/** Returns how many changes the viewer may approve, and which changes of the viewer were decided in the last day. */
export async function selectNews(db: Db, viewer: Viewer) {
  const rows = await db
    .selectFrom("approval as a")
    .select(["a.id", "a.maker_id", "a.decided_by", STATE.as("state")])
    .select(isFresh(sql`${viewer.id}`).as("is_fresh"))
    .where(isSeen(viewer))
    .where(sql<boolean>`a.made_at > now() - make_interval(hours => 2 * ${APPROVAL_HOURS}::int)`)
    .where((eb) => eb.or([eb("a.state", "=", "waiting"), eb("a.maker_id", "=", viewer.id)]))
    .execute();
  const isOwn = ({ maker_id }: { maker_id: number | null }) => maker_id === viewer.id;
  return {
    waiting: rows.filter((row) => row.state === "waiting" && !isOwn(row) && !row.is_fresh).length,
    decided: rows
      .filter((row) => row.state !== "waiting" && isOwn(row))
      .map(({ id, state, decided_by }) => ({ id, state, decided_by })),
  };
}

/**
 * Locks the approver and the makers in id order. Otherwise two operators who approve each other's changes
 * could deadlock.
 */
export async function lockPeople(tx: Tx, self: number, ids: readonly number[]): Promise<void> {
  await sql`
    select from operator
    where id = ${self} or id in (select maker_id from approval where id = any(${ids}::bigint[]))
    order by id for update`.execute(tx);
}

export type LockedApproval = Awaited<ReturnType<typeof lockApproval>>;

/** Locks a change that the viewer may see. Throws `approval_not_found`. */
export async function lockApproval(tx: Tx, viewer: Viewer, id: number) {
  const row = await tx
    .selectFrom("approval as a")
    .selectAll("a")
    .select([STATE.as("state_now"), isFresh(sql`${viewer.id}`).as("is_fresh")])
    .where("a.id", "=", id)
    .where(isSeen(viewer))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) {
    throw new AppError("approval_not_found");
  }
  return row;
}

export async function decideApproval(
  tx: Tx,
  id: number,
  values: Pick<Selectable<Database["approval"]>, "state" | "note" | "decided_by" | "decider_id">,
): Promise<void> {
  const emptied = { input: "{}", file: null };
  const decided = { ...values, ...emptied, decided_at: sql<Date>`clock_timestamp()` };
  await tx.updateTable("approval").set(decided).where("id", "=", id).execute();
}
