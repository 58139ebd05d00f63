/** Compares pages and totals of the audit log with a simple filter over all rows. */
import { AUDIT_ACTS } from "@red/contract/evidence/audit-acts";
import { auditRoutes } from "@red/contract/evidence/audit";
import type { AuditFilter } from "@red/contract/evidence/audit";
import { formatDateTime } from "@red/contract/platform/datetime";
import { inTransaction } from "#platform/db/connection";
import { accountRef } from "#platform/player-names";
import { ZONE } from "#test/activity-factory";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { foldRollups } from "#platform/rollups/rollup-sql";
import { diceOf } from "#test/dice";
import { cellsOf, download } from "#test/downloads";
import { makePlayer, makePool } from "#test/factories";
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
  // Rows are hours apart, so rollups of every width are read.
  await t.sql`update audit_log set id = id - (row % 97) * 58982400000, at = at - (row % 97) * interval '1 hour'
    from (select id as of, row_number() over (order by id) as row from audit_log) x where x.of = id`;
  await inTransaction(t.db, (tx) => foldRollups(tx));
});

/** Returns a past time in the format that the lists use. */
const hoursAgo = (hours: number) => formatDateTime(new Date(Date.now() - hours * 3_600_000), ZONE);

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
  { action: "save_pool", outcome: "done" },
  { action: "save_pool", object_type: "activity" },
  { object_type: "pool", outcome: "refused" },
  { start_time: hoursAgo(50) },
  { end_time: hoursAgo(30) },
  { start_time: hoursAgo(70), end_time: hoursAgo(20), actors: "people" },
  { start_time: hoursAgo(70), end_time: hoursAgo(20), request_id: "r11" },
];

const SAME = ["actor", "action", "outcome", "request_id"] as const;

/** Reads all rows, newest first, and filters them one by one. */
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
      formatDateTime(row.at, ZONE) >= (filter.start_time ?? "") &&
      formatDateTime(row.at, ZONE) <= (filter.end_time ?? "9") &&
      (filter.object_type === undefined ||
        (filter.object_id === undefined
          ? row.object_type === filter.object_type
          : (row.object_type === filter.object_type && row.object_id === filter.object_id) ||
            JSON.stringify(row.others ?? []).includes(`"${filter.object_id}"`))),
  );
}

test.each(FILTERS)("%j: pages and total match a plain search", async (filter) => {
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

test("rows about a player are found by the present account, in any case", async () => {
  const { player_key } = await makePlayer(t.db, { user_name: "anna-7" });
  // This account is equal to the key of the other player.
  await makePlayer(t.db, { user_name: String(player_key) });
  const by: Actor = { kind: "operator", name: "root-op", request_id: null, address: null };
  const note = (object_type: string, object_id: string, player: number[]) =>
    inTransaction(t.db, (tx) =>
      insertAudit(tx, by, { action: "found", object_type, object_id, about: { player } }),
    );
  await note("player", accountRef(player_key), []);
  await note("player", "ANNA-7", []);
  await note("exclusion", "1", [player_key]);
  await note("pool", "ANNA-7", [player_key + 1]);
  await note("player", accountRef(player_key + 1), [player_key + 1]);
  const about = async (object_id: string) => {
    const query = { object_type: "player", object_id, action: "found", page: 1, size: 20 };
    const { content, total } = await a.read(auditRoutes.list, { query });
    expect(content).toHaveLength(total);
    return content.map((row) => row.object_id);
  };
  expect(await about("ANNA-7")).toEqual(["1", "ANNA-7", "anna-7"]);
  expect(await about("anna-7")).toEqual(["1", "anna-7"]);
  expect(await about("nobody")).toEqual([]);
});

test("the file has a column for each value, in words; a missing value is empty", async () => {
  const id = await makePool(t.db, { pool_name: "pool of gold" });
  const at = new Date();
  const by: Actor = { kind: "operator", name: "=anna", request_id: "file-1", address: "192.0.2.9" };
  const before = { weight: 1, start_time: at.toISOString() };
  const saved = { action: "save_pool", object_type: "pool", object_id: id, before };
  const entry = { ...saved, after: { weight: 2, rewritten: {} } };
  await inTransaction(t.db, (tx) => insertAudit(tx, { ...by, reason: "asked" }, entry));
  const bare = { action: "unknown_act", object_type: "unknown_type" };
  await insertRefusal(t.db, { ...by, address: null, request_id: null }, bare);
  const answer = await download(a, auditRoutes.exportFile, { actor: by.name, format: "csv" });
  expect(decodeURIComponent(String(answer.headers["content-disposition"]))).toContain("操作日志");
  const [labels, refused, done] = cellsOf(answer);
  const names =
    "时间 编号 操作人 操作 对象类型 对象 名称 结果 修改前 修改后 原因 来源地址 请求编号";
  expect(labels).toEqual(names.split(" "));
  const shown = JSON.stringify({ ...before, start_time: formatDateTime(at, ZONE) });
  expect([done, refused].map((row) => row?.slice(2).join("|"))).toEqual([
    `'=anna|整池保存|奖池|${id}|pool of gold|完成|${shown}|{"weight":2}|asked|192.0.2.9|file-1`,
    "'=anna|unknown_act|unknown_type|||被拒绝|||||",
  ]);
  const [last] = await plain({ request_id: "file-1", outcome: "done" });
  expect(done?.slice(0, 2).map(String)).toEqual([
    formatDateTime(last?.at ?? at, ZONE),
    String(last?.id),
  ]);
});

test("a number without the type of its object is refused", async () => {
  const answer = await a.call(auditRoutes.list, { query: { object_id: "3", page: 1, size: 20 } });
  expect(answer).toMatchObject({ code: 400, data: { errors: [{ field: "object_id" }] } });
});
