/**
 * `npm run bench -- audit [--rows N] [--short]`: pages of the audit log with exact totals, by random filters, compared with
 * plain SQL in the same snapshot.
 */
import { sql } from "kysely";
import { AUDIT_ACTS } from "../packages/contract/src/evidence/audit-acts.ts";
import { selectAudits, selectAuditTotal } from "../packages/server/src/evidence/audit-list-sql.ts";
import type { AuditMatch } from "../packages/server/src/evidence/audit-list-sql.ts";
import { allOf } from "../packages/server/src/platform/db/sql-parts.ts";
import { inOneView, inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import { conclude, IS_SHORT, quantile, ROWS, say } from "./report.ts";

const COUNT = ROWS ?? (IS_SHORT ? 20_000 : 10_000_000);
const CASES = IS_SHORT ? 60 : 2_000;
const COMPARISONS = IS_SHORT ? 30 : 100;
const SIZE = 20;
const DAYS = 1_000;
const OBJECTS = 200_000;
/** Rows in a run by one actor about one act, as saves and lists come. */
const BURST = 8;
const FROM_MS = Math.floor(Date.now() / 1_000 - DAYS * 86_400) * 1_000;
const STEP_MS = (DAYS * 86_400_000) / COUNT;

const below = (most: number) => Math.floor(Math.random() * most);
const maybe = <T>(share: number, value: () => T) => (Math.random() < share ? value() : undefined);

/** Forty operators and four platforms; few of them, and few acts, have most rows. */
async function fill(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`alter table audit_log disable trigger user`.execute(tx);
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`
      insert into audit_log (id, at, actor_kind, actor, action, object_type, object_id, outcome, before, after, request_id)
      select (ms - 1577836800000) * 16384 + n % 16384, to_timestamp(ms / 1000.0),
        case when who < 40 then 'operator' else 'key' end, 'actor ' || who, act ->> 'action', act ->> 'object_type',
        floor(${OBJECTS}::int * random() ^ 2)::int::text, case when n % 100 = 0 then 'refused' else 'done' end,
        '{"weight": 1}', json_build_object('weight', n), 'r' || n / 2
      from (
        select burst, floor(44 * random() ^ 2)::int as who,
          ${JSON.stringify(AUDIT_ACTS)}::jsonb -> floor(${AUDIT_ACTS.length}::int * random() ^ 2)::int as act
        from generate_series(0, ${COUNT / BURST - 1}::bigint) burst
      ) b
      cross join generate_series(1, ${BURST}::int) k
      cross join lateral (select burst * ${BURST}::int + k as n) i
      cross join lateral (select (${FROM_MS}::bigint + floor(n * ${STEP_MS}::float8))::bigint as ms) t`.execute(
      tx,
    );
    await sql`analyze audit_log`.execute(tx);
    await sql`select set_config('work_mem', '1GB', true)`.execute(tx);
    await sql`
      do $$ begin
        execute 'insert into rollup (list, width, start, a, b, n, cents)
          select ''audit_log'', width, minute - minute % width as start, a, b, sum(n), 0
          from (' || rollup_rows('audit_log', 'audit_log') || ') r cross join (values (1), (60), (1440)) w (width)
          group by width, start, a, b order by width, a, b, start';
      end $$`.execute(tx);
    await sql`alter table audit_log enable trigger user`.execute(tx);
  });
  await sql`vacuum analyze audit_log, rollup`.execute(db);
}

function someMatch(): AuditMatch {
  const act = maybe(0.5, () => AUDIT_ACTS[below(AUDIT_ACTS.length)]);
  const object_id = act && maybe(0.3, () => String(below(OBJECTS)));
  const start = maybe(0.5, () => new Date(FROM_MS + below(DAYS * 86_400_000))) ?? null;
  const long = 10 ** (-4 * Math.random()) * DAYS * 86_400_000;
  return {
    actors: maybe(0.2, () => (Math.random() < 0.5 ? "people" : "platforms")),
    actor: maybe(0.3, () => `actor ${below(44)}`),
    object_type: act?.object_type,
    action: object_id === undefined ? act && maybe(0.6, () => act.action) : undefined,
    object_id,
    outcome: maybe(0.2, () => (Math.random() < 0.5 ? "done" : "refused")),
    request_id: maybe(0.05, () => `r${below(COUNT / 2)}`),
    start,
    end: start && new Date(start.getTime() + long),
  };
}

const found = async (db: Db, match: AuditMatch, page: number) => {
  const [rows, total] = await Promise.all([
    selectAudits(db, match, { page, size: SIZE }),
    selectAuditTotal(db, match),
  ]);
  return { ids: rows.map(({ id }) => id), total };
};

async function plain(db: Db, match: AuditMatch, page: number) {
  const { start, end, actors, ...equal } = match;
  const where = allOf(
    actors !== undefined && sql`(actor_kind = 'key') = ${actors !== "people"}`,
    start !== null && sql`at >= ${start}::timestamptz`,
    end !== null && sql`at < ${end}::timestamptz`,
    ...Object.entries(equal).map(
      ([name, value]) => value !== undefined && sql`${sql.ref(name)} = ${value}`,
    ),
  );
  const { rows } = await sql<{ id: number; total: number }>`
    select id, (select count(*) from audit_log where ${where}) as total from audit_log where ${where}
    order by id desc limit ${SIZE} offset ${(page - 1) * SIZE}`.execute(db);
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

async function main({ db }: BenchDatabase): Promise<number> {
  const begun = performance.now();
  await fill(db);
  say(`filled in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  const times: number[] = [];
  let slowest = "";
  let mismatches = 0;
  for (let at = 0; at < CASES; at += 1) {
    const match = someMatch();
    const page = 1 + below(Math.ceil((await selectAuditTotal(db, match)) / SIZE));
    const from = performance.now();
    await found(db, match, page);
    const ms = performance.now() - from;
    slowest = ms > Math.max(...times) ? `${JSON.stringify(match)} ${ms.toFixed(1)} ms` : slowest;
    times.push(ms);
    const [ours, theirs] = await inOneView(db, async (view) =>
      at < COMPARISONS
        ? [
            JSON.stringify(await found(view, match, page)),
            JSON.stringify(await plain(view, match, page)),
          ]
        : [],
    );
    if (ours !== theirs) {
      mismatches += 1;
      say(`differs, page ${page} of ${JSON.stringify(match)}: ${ours}, plain ${theirs}`);
    }
  }
  if (IS_SHORT && mismatches > 0) {
    throw new Error(`${mismatches} answers differ from plain SQL`);
  }
  return conclude(
    { rows: COUNT, p95_ms: quantile(times, 0.95), slowest, mismatches },
    { p95_ms: { at_most: 50 }, mismatches: { at_most: 0 } },
  );
}

await runBench(main);
