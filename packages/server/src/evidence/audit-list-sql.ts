/**
 * Reads pages and totals of the audit log. Rollups (platform/rollups/rollup-rows.sql) count the rows and find the
 * place of a page. Rows about one object or one request are found by an index instead.
 */
import { AUDIT_ACTS } from "@red/contract/evidence/audit-acts";
import type { AuditFilter, AuditRow } from "@red/contract/evidence/audit";
import { formatDateTime, parseDateTime } from "@red/contract/platform/datetime";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inZone, OBJECT_NAME } from "#platform/audit";
import { allOf } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import { sqlRef } from "#platform/player-names";
import { fromSnapshot, streamRows } from "#platform/db/snapshot";
import { firstIdOf, IDS_PER_MINUTE } from "#platform/db/time-ids";
import { minutesOf } from "#platform/rollups/rollup-sql";
import type { Span } from "#platform/rollups/rollup-sql";

const PEOPLE = ["operator", "redctl", "system"];

/** The filter, with its times as instants. */
export interface AuditMatch extends Omit<AuditFilter, "start_time" | "end_time"> {
  readonly start: Date | null;
  /** Exclusive end of the time window. */
  readonly end: Date | null;
}

/** Converts the filter. The end time of the filter includes its whole second (behaviour §1). */
export function auditMatch(
  { start_time, end_time, ...rest }: AuditFilter,
  timeZone: string,
): AuditMatch {
  const end = end_time === undefined ? null : parseDateTime(end_time, timeZone);
  return {
    ...rest,
    start: start_time === undefined ? null : parseDateTime(start_time, timeZone),
    end: end === null ? null : new Date(end.getTime() + 1_000),
  };
}

function kindsOf({ actors }: AuditMatch): readonly string[] | null {
  return actors === "people" ? PEOPLE : actors === "platforms" ? ["key"] : null;
}

/**
 * SQL: whether the row is about this object, or names it in a list of several objects. A player is given by the
 * current account.
 */
function isAbout(object_type: string, object_id: string): RawBuilder<boolean> {
  const key = sql`(select player_key from player where user_name_key = lower(${object_id}))`;
  const named = object_type === "player" ? sql`${key}::text` : sql`${object_id}`;
  return sql<boolean>`l.id in (
    select id from audit_log where object_type = ${object_type} and object_id in (${object_id}, ${sqlRef(key)})
    union all
    select audit_id from audit_about where object_type = ${object_type} and object_id = ${named})`;
}

function isMatch(match: AuditMatch): RawBuilder<boolean> {
  const { actor, action, object_type, object_id, outcome, request_id, start, end } = match;
  const kinds = kindsOf(match);
  return allOf(
    kinds !== null && sql`l.actor_kind = any(${kinds}::text[])`,
    actor !== undefined && sql`l.actor = ${actor}`,
    action !== undefined && sql`l.action = ${action}`,
    outcome !== undefined && sql`l.outcome = ${outcome}`,
    request_id !== undefined && sql`l.request_id = ${request_id}`,
    object_type !== undefined &&
      (object_id === undefined
        ? sql`l.object_type = ${object_type}`
        : isAbout(object_type, object_id)),
    start !== null && sql`l.id >= ${firstIdOf(start.getTime())}::bigint`,
    end !== null && sql`l.id < ${firstIdOf(end.getTime())}::bigint`,
  );
}

/** Returns whether only few rows match and an index finds them. */
function isNarrow({ object_type, object_id, request_id }: AuditMatch): boolean {
  return request_id !== undefined || (object_type !== undefined && object_id !== undefined);
}

const codes = (texts: readonly string[]) =>
  sql`array(select audit_code(one) from unnest(${[...texts]}::text[]) one)`;

/**
 * Returns the rollup codes of the filter: an outcome, an object type, or actions with their outcome. Null means
 * all rows.
 */
function whatOf({ action, object_type, outcome }: AuditMatch): readonly string[] | null {
  const only = action === undefined && (object_type === undefined || outcome === undefined);
  if (only) {
    const one = object_type ?? outcome;
    return one === undefined ? null : [one];
  }
  const outcomes = outcome === undefined ? ["done", "refused"] : [outcome];
  return AUDIT_ACTS.filter(
    (act) =>
      (action === undefined || act.action === action) &&
      (object_type === undefined || act.object_type === object_type),
  ).flatMap((act) => outcomes.map((one) => `${act.object_type} ${act.action} ${one}`));
}

/** SQL: the arguments of a rollup: list, whole minutes, codes of the actors, codes of the actions. */
function rollupKey(match: AuditMatch): RawBuilder<unknown> {
  const { actor, start, end } = match;
  const { from, to } = minutesOf(start, end);
  const kinds = kindsOf(match) ?? (actor === undefined ? null : [...PEOPLE, "key"]);
  const who = kinds?.map((kind) => (actor === undefined ? kind : `${kind}:${actor}`)) ?? null;
  const none = sql`null::bigint[]`;
  const what = whatOf(match);
  return sql`'audit_log', ${from}::bigint, ${to}::bigint,
    ${who === null ? none : codes(who)}, ${what === null ? none : codes(what)}`;
}

/** SQL: counts the rows in a part of a minute. An empty part gives 0 without a query. */
function counted(match: AuditMatch, { start, end }: Span) {
  return start >= end
    ? sql`select 0::bigint as n`
    : sql`select count(*) as n from audit_log l where ${isMatch({ ...match, start, end })}`;
}

export async function selectAuditTotal(db: Db, match: AuditMatch): Promise<number> {
  const { newer, older } = minutesOf(match.start, match.end);
  const counting = isNarrow(match)
    ? sql`select count(*) as n from audit_log l where ${isMatch(match)}`
    : sql`
      select n from rollup_total(${rollupKey(match)})
      union all (${counted(match, newer)}) union all (${counted(match, older)})`;
  const { rows } = await sql<{ n: number }>`
    select sum(n)::bigint as n from (${counting}) x`.execute(db);
  return rows[0]?.n ?? 0;
}

/** SQL: selects the ids of a page. The rollups tell in which minutes the page lies. */
function pageOf(match: AuditMatch, size: number, offset: number) {
  if (isNarrow(match)) {
    return sql`select l.id from audit_log l where ${isMatch(match)}
      order by l.id desc limit ${size} offset ${offset}`;
  }
  const { newer, older } = minutesOf(match.start, match.end);
  const first = sql`place.start * ${sql.lit(IDS_PER_MINUTE)}`;
  const n = (span: Span) => sql`(select n from (${counted(match, span)}) x)`;
  return sql`
    select l.id
    from rollup_places(${rollupKey(match)}, ${n(newer)}, ${n(older)}, ${offset}::bigint, ${size}::bigint) place
    cross join lateral (
      select l.id from audit_log l
      where ${isMatch(match)} and l.id >= ${first} and l.id < ${first} + ${sql.lit(IDS_PER_MINUTE)}
      order by l.id desc
      limit place.take offset place.skip
    ) l`;
}

export type ListedAudit = Omit<AuditRow, "at"> & { readonly at: Date };

const COLUMNS = sql`l.id, l.at, l.actor_kind, l.actor, l.action, l.object_type, l.object_id,
  ${OBJECT_NAME} as object_name, l.outcome, l.before,
  l.after - 'rewritten' as after, l.reason, l.request_id, l.address`;

/** Returns one page, newest first. */
export async function selectAudits(
  db: Db,
  match: AuditMatch,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<ListedAudit[]> {
  const { rows } = await sql<ListedAudit>`
    select ${COLUMNS} from (${pageOf(match, size, (page - 1) * size)}) page
    join audit_log l on l.id = page.id
    order by l.id desc`.execute(db);
  return rows;
}

/** Streams all matches in pages, newest first. When the caller leaves the loop, the connection is released. */
export function streamAudits(db: Db, match: AuditMatch): AsyncGenerator<ListedAudit[]> {
  const rows = sql<ListedAudit>`
    select ${COLUMNS} from audit_log l where ${isMatch(match)} order by l.id desc`;
  return fromSnapshot(db, (snapshot) => streamRows(snapshot, rows));
}

/** Converts a row to its API form, with times in the time zone. */
export function toAudit({ before, after, ...row }: ListedAudit, timeZone: string): AuditRow {
  const changed = inZone({ before, after }, timeZone);
  return { ...row, ...changed, at: formatDateTime(row.at, timeZone) };
}
