/** Calls about jobs: what they show, retries, and files that fail. */
import { existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import path from "node:path";
import { eventExportRoutes } from "@red/contract/events/event-export";
import { jobRoutes } from "@red/contract/records/job";
import { recordRoutes } from "@red/contract/records/record";
import { fillPath } from "@red/contract/platform/route";
import { text } from "@red/contract/platform/texts";
import { buildApp } from "#app";
import { erasePlayer } from "#evidence/erase-player";
import { OPERATOR } from "#test/activity-factory";
import { openSession } from "#test/contract-world";
import { cellsOf, openWindow } from "#test/downloads";
import { insertedId, makeOperator, makePlayer, makeRecords, makeRound } from "#test/factories";
import type { RecordValues } from "#test/factories";
import { makeFolder } from "#test/folder";
import { until } from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { auditsOf, changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import type { Insertable } from "kysely";
import type { Database } from "#platform/db/schema";
import { afterAll, beforeAll, expect, test } from "vitest";

const t = useTestDb();
const exports = makeFolder(afterAll);
const app = useTestApp(t, { exports });

let own: number;
let other: number;
let rounds_id: number;
let viewer: { token: string };

beforeAll(async () => {
  own = (await rowOf(t.db, "operator", { name: "root-op" })).id;
  other = await makeOperator(t.db, "viewer", { roles: ["viewer"] });
  viewer = { token: await openSession(t.db, "viewer") };
  const round = await makeRound(t.db);
  ({ rounds_id } = round);
  await makeRecords(t.db, round, await makePlayer(t.db, { user_name: "Anna" }), [{}, {}]);
});

const makeJob = (values: Partial<Insertable<Database["job"]>>) =>
  insertedId(t.db.insertInto("job").values({ operator_id: own, kind: "reissue", ...values }));

const EXPORT = { kind: "export", path: recordRoutes.exportFile.path } as const;
const list = (query: object = {}, headers = {}) => app.read(jobRoutes.list, { query }, headers);
const jobOf = async (id: number) => (await list()).content.find((one) => one.id === id);
const retry = (id: number, headers = {}) => app.call(jobRoutes.retry, { params: { id } }, headers);
async function opened(id: number, token = app.token) {
  const url = fillPath(jobRoutes.file.path, { id });
  return await openWindow(app, { ...jobRoutes.file, path: url }, {}, token);
}

/** Creates a job over payouts with these outcomes. Returns its id and the ids of the records. */
async function jobOver(
  kind: "reissue" | "ask",
  rows: readonly (RecordValues & { outcome?: string | null; reason?: string | null })[],
) {
  const made = await makeRecords(t.db, await makeRound(t.db), await makePlayer(t.db), rows);
  const id = await makeJob({ kind, started_at: new Date("2026-11-20T12:00:00Z") });
  for (const [index, { log_id }] of made.entries()) {
    const { outcome = null, reason = null } = rows[index] ?? {};
    await t.sql`insert into job_row (job_id, log_id, outcome, reason)
      values (${id}, ${log_id}, ${outcome}, ${reason})`;
  }
  return { id, log_ids: made.map(({ log_id }) => log_id) };
}

test("a job counts its payouts by outcome and reason, and those that can be retried", async () => {
  const refused = (fail_reason: string) => ({ state: "refused", payout: { fail_reason } }) as const;
  const { id, log_ids } = await jobOver("reissue", [
    { state: "queued", award_price_cents: 1205 },
    { state: "sending" },
    { state: "unknown" },
    { state: "paid" },
    refused("frozen"),
    refused("closed"),
    refused("closed"),
    // The outcome was noted before the payout was sent again, without a reason.
    { state: "paid", outcome: "refused" },
    { state: "check" },
    { state: "closed" },
  ]);
  const job = {
    id,
    kind: "reissue",
    total: 10,
    done: 7,
    status: "running",
    retryable: 3,
    seen: false,
    outcomes: [
      { outcome: "under_way", count: 2 },
      { outcome: "unknown", count: 1 },
      { outcome: "paid", count: 1 },
      { outcome: "refused", count: 4 },
      { outcome: "check", count: 1 },
      { outcome: "closed", count: 1 },
    ],
    file_name: null,
    fault: null,
    started_at: "2026-11-20 20:00:00",
    ended_at: null,
  };
  const told = await jobOf(id);
  expect(told).toMatchObject(job);
  expect(told?.reasons[0]).toEqual({ reason: "closed", count: 2 });
  expect(
    told?.reasons
      .slice(1)
      .map(({ reason }) => reason)
      .toSorted(),
  ).toEqual(["", "frozen"]);
  const read = (query: object) => app.read(jobRoutes.rows, { params: { id }, query });
  const { content, total } = await read({ outcome: "under_way", size: 1, page: 2 });
  const first = Math.min(...log_ids);
  const row = { log_id: first, award_price: "12.05", outcome: "under_way", reason: null };
  expect([total, content]).toMatchObject([2, [row]]);
  expect(await read({ size: 1 })).toMatchObject({ total: 10 });
  const refusals = [
    await retry(id, viewer),
    await app.call(jobRoutes.rows, { params: { id }, query: {} }, viewer),
    (await opened(id, viewer.token)).json<object>(),
  ];
  const refusal = expect.objectContaining({ key: "job_not_found" }) as object;
  expect(refusals).toEqual([refusal, refusal, refusal]);
});

test.each([
  ["reissue", "refused", "queued", "失败"],
  ["ask", "check", "unknown", "核对"],
] as const)(
  "what a job of kind %s left as %s goes again, once",
  async (kind, state, then, word) => {
    const { id, log_ids } = await jobOver(kind, [{ state }, { state }, { state: "paid" }]);
    const [gone = 0, taken = 0] = log_ids;
    // Another operator closes one payout at the same moment.
    const held = await hold(t.db, (tx) =>
      sql`update payout set state = 'closed', fail_reason = 'x' where log_id = ${gone}`.execute(tx),
    );
    const answer = app.read(jobRoutes.retry, { params: { id } });
    await untilWaiting(t.db);
    await held.commit();
    const refused = [{ log_id: gone, reason: expect.stringContaining(word) as string }];
    const { job_id, ...counts } = await answer;
    expect(counts).toEqual({ taken: 1, refused });
    expect(await rowOf(t.db, "payout", { log_id: taken })).toMatchObject({ state: then });
    expect(await rowOf(t.db, "job", { id: job_id })).toMatchObject({ kind, operator_id: own });
    expect(await retry(id)).toMatchObject({ key: "job_nothing_failed" });
  },
);

test("the operator's own jobs that ended are marked as seen, once", async () => {
  const ended_at = new Date("2026-11-20T12:00:05Z");
  const theirs = await makeJob({ operator_id: other, ended_at });
  const [left, open, seen] = [
    await makeJob({ ended_at }),
    await makeJob({}),
    await makeJob({ ended_at }),
  ];
  const before = await list({ size: 2, page: 2 });
  expect(before.content.map(({ id }) => id).slice(0, 1)).toEqual([left]);
  const ids = [theirs, open, seen];
  const answer = await app.read(jobRoutes.seen, { body: { ids } });
  expect(answer).toEqual({ unseen: before.unseen - 1 });
  const seenAt = async (id: number) => (await rowOf(t.db, "job", { id })).seen_at;
  const at = await seenAt(seen);
  expect(await Promise.all([theirs, left, open].map(seenAt))).toEqual([null, null, null]);
  expect(await jobOf(seen)).toMatchObject({ seen: true, ended_at: "2026-11-20 20:00:05" });
  await app.read(jobRoutes.seen, { body: { ids } });
  expect(await seenAt(seen)).toEqual(at);
});

async function exported(query: object, of: string = recordRoutes.exportFile.path, headers = {}) {
  const body = { path: of as typeof EXPORT.path, query: query as Record<string, string> };
  return (await app.read(jobRoutes.exportFile, { body }, headers)).job_id;
}
const ended = (id: number) =>
  until("ended", async () => (await rowOf(t.db, "job", { id })).ended_at !== null);

test("a file is made for its reader alone, by either export, and audited without accounts", async () => {
  const query = { rounds_id: String(rounds_id), user_name: "Anna", award_name: "", format: "csv" };
  const id = await exported(query);
  await ended(id);
  const file_name = `发放记录-${rounds_id}.csv`;
  const job = { status: "done", total: 2, done: 2, file_name, fault: null, retryable: 0 };
  expect(await jobOf(id)).toMatchObject(job);
  const modes = ["", String(id)].map((name) => statSync(path.join(exports, "exports", name)).mode);
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
  const after = { path: EXPORT.path, query: { rounds_id: String(rounds_id), format: "csv" } };
  const [audit] = await auditsOf(t.db, ["object_type", "object_id", "after"], {
    action: "start_export",
  });
  expect(audit).toMatchObject({ object_type: "job", object_id: String(id), after });
  expect(JSON.stringify(audit)).not.toContain("Anna");
  expect(await retry(id)).toMatchObject({ key: "job_nothing_failed" });

  const times = { start_time: "2026-11-20 00:00:00", end_time: "2026-11-21 00:00:00" };
  const events = await exported({ kind: "deposit", ...times }, eventExportRoutes.exportFile.path);
  await ended(events);
  const response = await opened(events);
  expect(response.headers["content-type"]).toContain("spreadsheetml");
  expect(response.headers["content-disposition"]).toContain(".xlsx");
  expect(cellsOf(response)[0]).toContain("存款单号");

  const english = { "accept-language": "en" };
  const body = { path: EXPORT.path, query: {} };
  const refused = await app.call(jobRoutes.exportFile, { body }, english);
  const straight = await app.app.inject({
    url: EXPORT.path,
    headers: english,
    query: { token: app.token },
  });
  expect(refused).toEqual(straight.json());
  for (const values of [
    { file_name: null },
    { file_name, ended_at: null },
    { ended_at: new Date(), fault: "internal" },
  ]) {
    await changeRows(t.db, "job", { id }, values);
    expect((await opened(id)).json()).toMatchObject({ key: "job_no_file" });
  }
  // Imitates a file made before jobs stored who may see it.
  await changeRows(
    t.db,
    "job",
    { id },
    { operator_id: other, query: sql`'{}'::jsonb`, fault: null },
  );
  expect((await opened(id, viewer.token)).json()).toMatchObject({ key: "not_permitted" });
  expect((await list({}, viewer)).content[0]?.file_name).toBe(null);
});

test("an export that begins while a player is erased waits, and has only the new name", async () => {
  const { user_name, ...player } = await makePlayer(t.db, { user_name: "gone-77x" });
  const round = await makeRound(t.db);
  await makeRecords(t.db, round, { user_name, ...player }, [{ state: "paid" }]);
  const held = await hold(t.db, (tx) => erasePlayer(tx, OPERATOR, user_name));
  const starting = exported({ rounds_id: String(round.rounds_id), format: "csv" });
  await untilWaiting(t.db);
  await held.commit();
  const id = await starting;
  await ended(id);
  const body = (await opened(id)).payload;
  expect(body).toContain(held.result.data.player_id);
  expect(body).not.toContain(user_name);
});

test("a file that cannot be made says why, in the caller's language", async () => {
  const next = async () =>
    (await t.sql<{ id: number }>`select max(id) + 1 as id from job`)[0]?.id ?? 0;
  const fileAt = (id: number) => path.join(exports, "exports", String(id));
  const query = { rounds_id: String(rounds_id) };
  symlinkSync("/dev/full", fileAt(await next()));
  const full = await exported(query);
  await ended(full);
  mkdirSync(fileAt(await next()));
  const broken = await exported(query);
  await ended(broken);
  const none = await exported({ rounds_id: "999999" });
  await ended(none);
  const ids = [full, broken, none];
  const told = async (language: string) => {
    const { content } = await list({}, { "accept-language": language });
    return ids.map((id) => content.find((one) => one.id === id));
  };
  const wordings = (language: "zh" | "en") => [
    text("disk_full", language),
    text("internal", language, { request_id: `job ${broken}` }),
    text("activity_not_found", language),
  ];
  for (const language of ["zh", "en"] as const) {
    const failed = { retryable: 1, status: "failed", file_name: null };
    const faults = wordings(language).map((fault) => ({ fault, ...failed }));
    expect(await told(language)).toMatchObject(faults);
  }
  expect(existsSync(fileAt(full))).toBe(false);
});

test("an export in progress renews its lease, and is cut off when the server stops", async () => {
  const stopping = await buildApp(app.deps);
  const held = await hold(t.db, (tx) => sql`lock table draw_record`.execute(tx));
  const { path: url, method } = jobRoutes.exportFile;
  const payload = { path: EXPORT.path, query: { rounds_id: String(rounds_id) } };
  const headers = { token: app.token };
  const answer = await stopping.inject({ method, url, headers, payload });
  const { job_id: id } = answer.json<{ data: { job_id: number } }>().data;
  await untilWaiting(t.db);
  expect(await jobOf(id)).toMatchObject({ status: "running", total: null, done: 0 });
  await changeRows(t.db, "job", { id }, { lease_until: new Date(0) });
  const isAlive = async () => Number((await rowOf(t.db, "job", { id })).lease_until) > Date.now();
  await until("a second passed", isAlive, 20_000);
  await stopping.close();
  await held.commit();
  await ended(id);
  expect(await rowOf(t.db, "job", { id })).toMatchObject({ fault: "job_cut_off" });
});

test("an operator has at most three exports in progress", async () => {
  const lease_until = new Date(Date.now() + 600_000);
  const open = { ...EXPORT, query: "{}", lease_until };
  for (let nth = 0; nth < 3; nth += 1) {
    await makeJob({ ...open, operator_id: other });
    await makeJob({ ...open, lease_until: new Date(Date.now() - 1_000) });
    await makeJob({ ...open, ended_at: new Date() });
    await makeJob({ kind: "reissue", lease_until });
  }
  await makeJob(open);
  await makeJob(open);
  const query = { rounds_id: String(rounds_id) };
  await ended(await exported(query));
  await makeJob(open);
  const body = { path: EXPORT.path, query };
  expect(await app.call(jobRoutes.exportFile, { body })).toMatchObject({
    key: "export_many",
    msg: expect.stringContaining(" 3 ") as string,
  });
});
