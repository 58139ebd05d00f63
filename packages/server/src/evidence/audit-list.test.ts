/** Pages and totals of the audit log against a plain look at all rows. */
import { AUDIT_ACTS } from "@red/contract/audit-acts";
import { auditRoutes } from "@red/contract/audit";
import type { AuditFilter } from "@red/contract/audit";
import { formatDateTime } from "@red/contract/datetime";
import { inTransaction } from "#platform/connection";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { foldRollups } from "#players/rollup-sql";
import { diceOf } from "#test/dice";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const KINDS = ["operator", "key", "redctl", "system"] as const;
const NAMES = ["root-op", "anna", "rk_1"];
const ACTS = AUDIT_ACTS.slice(0, 12);

const { below, oneOf } = diceOf(7);

beforeAll(async () => {
  for (let made = 0; made < 400; made += 1) {
    const by = { kind: oneOf(KINDS), name: oneOf(NAMES) };
    const actor: Actor = { ...by, request_id: `r${below(40)}`, address: "192.0.2.7" };
    const { object_type, action } = oneOf(ACTS);
    const entry = {
      object_type,
      action,
      object_id: below(9),
      after: { drawn: made },
      about: { prize: [below(5), below(5)], record: [made] },
    };
    await (below(5) === 0
      ? insertRefusal(t.db, actor, entry)
      : inTransaction(t.db, (tx) => insertAudit(tx, actor, entry)));
  }
  // Hours apart, so that rollups of every width are read.
  await t.sql`update audit_log set id = id - (row % 97) * 58982400000, at = at - (row % 97) * interval '1 hour'
    from (select id as of, row_number() over (order by id) as row from audit_log) x where x.of = id`;
  await inTransaction(t.db, (tx) => foldRollups(tx));
});

const FILTERS: readonly AuditFilter[] = [
  {},
  { actors: "all" },
  { actors: "people" },
  { actors: "platforms" },
  { actor: "anna" },
  { actors: "platforms", actor: "anna" },
  { action: "save_pool" },
  { object_type: "pool" },
  { outcome: "refused" },
  { actor: "rk_1", object_type: "activity", outcome: "done" },
  { object_type: "pool", object_id: "3" },
  { object_type: "prize", object_id: "3" },
  { object_type: "prize", object_id: "3", actor: "anna" },
  { object_type: "record", object_id: "17" },
  { request_id: "r11" },
  { action: "no_such_act" },
];

const SAME = ["actor", "action", "outcome", "request_id"] as const;

/** All rows, newest first, filtered one by one. */
async function plain(filter: AuditFilter) {
  const rows = await t.db
    .selectFrom("audit_log as l")
    .selectAll("l")
    .select((eb) =>
      eb
        .selectFrom("audit_about as o")
        .select((one) => one.fn.jsonAgg(one.ref("o.object_id")).as("ids"))
        .whereRef("o.audit_id", "=", "l.id")
        .where("o.object_type", "=", filter.object_type ?? "")
        .as("others"),
    )
    .orderBy("l.id", "desc")
    .execute();
  return rows.filter(
    (row) =>
      (filter.actors === undefined ||
        filter.actors === "all" ||
        (row.actor_kind === "key") === (filter.actors === "platforms")) &&
      SAME.every((name) => filter[name] === undefined || row[name] === filter[name]) &&
      (filter.object_type === undefined ||
        (filter.object_id === undefined
          ? row.object_type === filter.object_type
          : (row.object_type === filter.object_type && row.object_id === filter.object_id) ||
            JSON.stringify(row.others ?? []).includes(`"${filter.object_id}"`))),
  );
}

test.each(FILTERS)("%j: every page and the total are those of all rows", async (filter) => {
  const wanted = (await plain(filter)).map(({ id }) => id);
  const got: number[] = [];
  for (let page = 1; page <= 25; page += 1) {
    const answer = await a.read(auditRoutes.list, { query: { ...filter, page, size: 20 } });
    expect(answer.total).toBe(wanted.length);
    got.push(...answer.content.map(({ id }) => id));
  }
  expect(got).toEqual(wanted);
});

test("a time range includes its first and last second", async () => {
  const [first] = (await plain({})).slice(200);
  const { timeZone } = a.services.settings;
  const at = formatDateTime(first?.at ?? new Date(0), timeZone);
  const same = (await plain({})).filter((row) => formatDateTime(row.at, timeZone) === at);
  const query = { start_time: at, end_time: at, page: 1, size: 50 };
  const answer = await a.read(auditRoutes.list, { query });
  expect(answer.content.map(({ id }) => id)).toEqual(same.map(({ id }) => id));
  expect(answer.total).toBe(same.length);
});

test("a number without the type of its object is refused", async () => {
  const answer = await a.call(auditRoutes.list, { query: { object_id: "3", page: 1, size: 20 } });
  expect(answer).toMatchObject({ code: 400, data: { errors: [{ field: "object_id" }] } });
});
