import { once } from "node:events";
import { existsSync } from "node:fs";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { jobRoutes } from "@red/contract/records/job";
import type { Job } from "@red/contract/records/job";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { recordRoutes } from "@red/contract/records/record";
import { noteOutcomes } from "#payouts/job-sql";
import { inTransaction } from "#platform/db/connection";
import { buildApp } from "#app";
import { cellsOf, download } from "#test/downloads";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRecord, MadeRound } from "#test/factories";
import { until } from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const route = recordRoutes.exportFile;

const LABELS = (
  "记录ID 活动ID 活动名称 玩家ID 账号 奖品 面额 类型 抽奖时间 流水倍数 发放状态 发放说明 " +
  "失败原因 备注 到账时间 流水号 钱包单号 发放次数"
).split(" ");

function at(time: string): Date {
  return new Date(`2026-11-20T${time}+08:00`);
}

let round: MadeRound;
let anna: MadePlayer;
let made: MadeRecord[];
let filters: { rounds_id: number };

beforeAll(async () => {
  round = await makeRound(t.db, { rounds_name: "周末红包A" });
  filters = { rounds_id: round.rounds_id };
  anna = await makePlayer(t.db, { user_name: "Anna", player_id: "p-anna" });
  made = await makeRecords(t.db, round, anna, [
    {
      award_name: "=8.88元红包",
      state: "paid",
      created_at: at("20:00:01.500"),
      payout: { wallet_ref: "W1", paid_at: at("20:00:02"), attempts: 2 },
    },
    { state: "refused", created_at: at("20:00:03") },
    {
      award_name: "手机",
      award_price_cents: 0,
      state: "delivered",
      created_at: at("20:00:04"),
      payout: { note: "SF-12345", paid_at: at("21:00:00") },
    },
    { state: "check", award_price_cents: 5, created_at: at("23:59:59") },
  ]);
  await makeRecords(t.db, await makeRound(t.db), anna, [{}]);
});

const appWith = (log = pino({ level: "silent" })) => buildApp({ ...app.deps, log });

const idOf = (index: number) => String(made[index]?.log_id);

describe("the file", () => {
  test("has every record of the round, newest first, under Chinese labels", async () => {
    const response = await download(app, route, filters);
    expect(response.headers).toMatchObject({
      "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "cache-control": "no-store",
      "content-disposition": expect.stringContaining(
        `filename*=UTF-8''${encodeURIComponent(`发放记录-${round.rounds_id}.xlsx`)}`,
      ),
    });
    const [labels, check, delivered, refused, paid, ...others] = cellsOf(response);
    expect(labels).toEqual(LABELS);
    expect(others).toEqual([]);
    const first = `${round.rounds_id} 周末红包A p-anna Anna`;
    const lines = [check, delivered, refused, paid].map((cells) =>
      cells?.map((cell) => cell ?? "-"),
    );
    expect(lines.map((cells) => cells?.join(" "))).toEqual([
      `${idOf(3)} ${first} 8.88 red packet 0.05 虚拟 2026-11-20 23:59:59 3 发放中 ${CODE_TEXTS.zh.state_check} ${CODE_TEXTS.zh.check_unanswered} - - ${made[3]?.trans_sn} - 0`,
      `${idOf(2)} ${first} 手机 0 实物 2026-11-20 20:00:04 3 成功 已发货 - SF-12345 2026-11-20 21:00:00 ${made[2]?.trans_sn} - 0`,
      `${idOf(1)} ${first} 8.88 red packet 8.88 虚拟 2026-11-20 20:00:03 3 失败 被拒绝 账户已冻结 - - ${made[1]?.trans_sn} - 0`,
      `${idOf(0)} ${first} =8.88元红包 8.88 虚拟 2026-11-20 20:00:01 3 成功 已到账 - - 2026-11-20 20:00:02 ${made[0]?.trans_sn} W1 2`,
    ]);
    // Numbers are number cells, except ids, which have more digits than a spreadsheet can store.
    expect(paid?.map((cell) => typeof cell === "number")).toEqual(
      LABELS.map((label) => ["活动ID", "面额", "流水倍数", "发放次数"].includes(label)),
    );
  });

  test("takes the filters of the list", async () => {
    const idsOf = async (more: Record<string, string | number>) =>
      cellsOf(await download(app, route, { ...filters, ...more }))
        .slice(1)
        .map(([log_id]) => log_id);
    expect(await idsOf({ award_status: 2 })).toEqual([idOf(1)]);
    expect(await idsOf({ user_name: "nobody" })).toEqual([]);
    expect(await idsOf({ rounds_name: "周末红包A", award_status: 1 })).toEqual([idOf(2), idOf(0)]);
    expect(await idsOf({ rounds_name: "周末红包B" })).toEqual([]);
  });

  test("needs an existing or deleted round", async () => {
    const answer = async (query: Record<string, string | number>) =>
      (await download(app, route, query)).json<object>();
    expect(await answer({})).toMatchObject({ code: 400, msg: "请填写要导出活动的id" });
    expect(await answer({ rounds_id: "" })).toMatchObject({ msg: "请填写要导出活动的id" });
    expect(await answer({ rounds_id: 999_999 })).toMatchObject({ code: 404 });
    expect(await answer({ rounds_id: 9_007_199_254_740_991 })).toMatchObject({ code: 404 });
    const deleted = await makeRound(t.db, { deleted_at: new Date() });
    expect(cellsOf(await download(app, route, { rounds_id: deleted.rounds_id }))).toEqual([LABELS]);
  });
});

describe("a long download", () => {
  let address = { port: 0, path: "" };
  let slow: FastifyInstance;

  beforeAll(async () => {
    const long = await makeRound(t.db);
    // Far more data than the buffers between server and browser can store.
    const payout = { fail_reason: "x".repeat(10_000) };
    const values = Array.from({ length: 1_500 }, () => ({ state: "refused", payout }) as const);
    await makeRecords(t.db, long, anna, values);
    slow = await appWith();
    await slow.listen({ port: 0, host: "127.0.0.1" });
    // The server listens on a port, so its address is not a path.
    const { port } = slow.server.address() as AddressInfo;
    const path = `${route.path}?rounds_id=${long.rounds_id}&format=csv&token=${app.token}`;
    address = { port, path };
  });
  afterAll(() => slow.close());

  /** Returns a response after reading only part of it. */
  async function readALittle(): Promise<IncomingMessage> {
    const response: IncomingMessage = (await once(get(address), "response"))[0];
    await once(response, "readable");
    return response;
  }

  async function readers(): Promise<number> {
    const rows = await t.sql<{ n: number }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and query like 'fetch forward%' and state <> 'idle'
        and pid <> pg_backend_pid()`;
    return rows[0]?.n ?? 0;
  }

  test("holds no connection while its window reads, and says how long it is", async () => {
    const response = await readALittle();
    expect(await readers()).toBe(0);
    expect(Number(response.headers["content-length"])).toBeGreaterThan(15_000_000);
    response.destroy();
  });

  test("does not delay a shutdown: its reader sees that it is cut off", async () => {
    const response = await readALittle();
    const cut = once(response, "error");
    const start = Date.now();
    await slow.close();
    expect(Date.now() - start).toBeLessThan(8_000);
    response.resume();
    await cut;
  });
});

test("made as a job, it is the same file; it can be made again after its process died", async () => {
  const query = { rounds_id: String(round.rounds_id), format: "csv" };
  const newest = async () => (await app.read(jobRoutes.list, { query: {} })).content[0];
  const opened = async (id = 0) =>
    await download(app, { ...jobRoutes.file, path: `/gred/api/job/${id}/file` }, {});
  const file = async (id?: number) => cellsOf(await opened(id));
  const straight = cellsOf(await download(app, route, query));
  const bad = { path: route.path, query: {} };
  expect(await app.call(jobRoutes.exportFile, { body: bad })).toMatchObject({ code: 400 });
  await app.call(jobRoutes.exportFile, { body: { path: route.path, query } });
  await until("made", async () => (await newest())?.status === "done");
  const job = await newest();
  expect(job).toMatchObject({ total: straight.length - 1, done: straight.length - 1 });
  expect(await file(job?.id)).toEqual(straight);

  await t.sql`update job set ended_at = null, lease_until = now() - interval '1 s'`;
  await inTransaction(t.db, noteOutcomes);
  expect(await newest()).toMatchObject({ status: "failed", retryable: 1 });
  // The file exists but may be incomplete.
  expect((await opened(job?.id)).json()).toMatchObject({ key: "job_no_file" });
  // A viewer may make files again, but may not send payouts.
  await t.sql`update operator set roles = '{viewer}'`;
  const again = async (id = 0) => await app.call(jobRoutes.retry, { params: { id } });
  const rows = await t.sql<Job>`insert into job (operator_id, kind)
    select id, 'reissue' from operator where name = 'root-op' returning id`;
  expect(await again(rows[0]?.id)).toMatchObject({ key: "not_permitted" });
  await again(job?.id);
  await until("made again", async () => (await newest())?.status === "done");
  // A viewer also sees no accounts, amounts, notes or wallet numbers, and does not get a file made
  // by someone who could see them.
  const hidden = straight.map((cells, row) =>
    cells.map((cell, at) => (row > 0 && cell !== null && [6, 13, 16].includes(at) ? "***" : cell)),
  );
  const masked = JSON.stringify(hidden).replaceAll("p-anna", "p***a").replaceAll("Anna", "A***a");
  expect(JSON.stringify(await file((await newest())?.id))).toBe(masked);
  expect((await opened(job?.id)).json()).toMatchObject({ key: "not_permitted" });
  const [made, , first] = (await app.read(jobRoutes.list, { query: {} })).content;
  expect([made?.file_name, first?.file_name]).toEqual([job?.file_name, null]);
});

test("an operator can make three files at once, and 30 in a minute", async () => {
  await t.sql`update operator set roles = '{admin}'`;
  await t.sql`update job set ended_at = now() where ended_at is null`;
  const body = { path: route.path, query: { rounds_id: String(round.rounds_id), format: "csv" } };
  const held = await hold(t.db, (tx) => sql`lock table draw_record`.execute(tx));
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => await app.call(jobRoutes.exportFile, { body })),
  );
  const refused = answers.filter(({ code }) => code !== 200);
  expect(refused.length).toBe(17);
  expect(refused[0]).toMatchObject({ code: 429, key: "export_many" });
  await held.commit();
  const open = async () => await t.sql`select id from job where ended_at is null`;
  await until("made", async () => (await open()).length === 0);
  // Exports from more than a minute ago and other jobs do not count.
  const age = async (age: string) =>
    await t.sql`update job set started_at = now() - ${age}::interval where kind = 'export'`;
  await age("61 seconds");
  await t.sql`
    insert into job (operator_id, kind, ended_at, started_at, path, query)
    select o.id, k.kind, now(), now() - interval '57 seconds', k.path, k.query::jsonb
    from operator o, generate_series(1, 29), (values ('export', 'x', '{}'), ('ask', null, null)) k (kind, path, query)
    where o.name = 'root-op'`;
  expect(await app.call(jobRoutes.exportFile, { body })).toMatchObject({ code: 200 });
  await until("made", async () => (await open()).length === 0);
  const often = await app.call(jobRoutes.exportFile, { body });
  expect(often).toMatchObject({ code: 429, key: "too_many_requests" });
  await age("61 seconds");
});

test("an export whose job is deleted is given up, and its file removed", async () => {
  let onWarning = () => {};
  const warned = new Promise<void>((resolve) => {
    onWarning = resolve;
  });
  const log = pino({ level: "warn" }, { write: () => onWarning() });
  const own = await appWith(log);
  onTestFinished(() => own.close());
  const held = await hold(t.db, (tx) => sql`lock table draw_record`.execute(tx));
  const body = { path: route.path, query: { rounds_id: String(round.rounds_id) } };
  const headers = { token: app.token };
  const url = jobRoutes.exportFile.path;
  const answer = await own.inject({ method: "POST", url, headers, payload: body });
  const { job_id } = answer.json<{ data: { job_id: number } }>().data;
  await untilWaiting(t.db);
  await t.sql`delete from job where id = ${job_id}`;
  // The export checks its job every second.
  await sleep(1_500);
  await held.commit();
  await warned;
  await sleep(300);
  expect(existsSync(path.join(app.deps.exportRoom.folder, "exports", String(job_id)))).toBe(false);
});
