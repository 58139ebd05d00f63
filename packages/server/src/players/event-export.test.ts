import { buffer } from "node:stream/consumers";
import { eventExportRoutes } from "@red/contract/event-export";
import { openDb, openPool } from "#platform/connection";
import { csvOf } from "#tables/csv-writer";
import type { Table } from "#tables/output-table";
import { betTable, depositTable } from "./event-file.ts";
import { buildApp } from "#app";
import { cellsOf, download, openWindow, ticketFor } from "#test/downloads";
import { betOf, depositOf, feed, makeRound } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const route = eventExportRoutes.exportFile;

type Filters = Record<string, string | number>;

const DEPOSIT_LABELS = "账号 存款金额 存款时间 存款单号 渠道 客户端 状态 冲正时间 冲正原因".split(
  " ",
);
const BET_LABELS = "账号 有效投注额 平台 投注时间 注单号 状态 作废时间 作废原因".split(" ");
const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const DAY = { start_time: "2024-05-10 00:00:00", end_time: "2024-05-10 23:59:59" };

const rounds_name = "周末红包A";
let rounds_id: number;

beforeAll(async () => {
  rounds_id = await makeRound(t.db, { rounds_name });
  const at = (day: number) => `2024-05-${day}T04:00:00.000Z`;
  await feed(t.db, "deposits", [
    depositOf("anna", { order_no: "=d1", created_at: at(10), amount: "88.80" }),
    depositOf("ben", { order_no: "d2", created_at: at(10), channel: 9, client: 3 }),
    depositOf("anna", { order_no: "d3", created_at: at(11) }),
  ]);
  await feed(t.db, "bets", [
    betOf("anna", { bet_no: "b1", created_at: at(10), valid_bet_amount: "9999999999.99" }),
    betOf("ben", { bet_no: "b2", created_at: at(10), platform: 7234 }),
    betOf("anna", { bet_no: "b3", created_at: at(11) }),
  ]);
  await feed(t.db, "reversals", [{ order_no: "d2", created_at: at(10), reason: "退款" }]);
  await feed(t.db, "voids", [{ bet_no: "b2", created_at: at(10) }]);
});

async function rowsOf(filters: Filters) {
  return cellsOf(await download(app, route, filters)).slice(1);
}

describe("the file of deposits", () => {
  test("has every match, newest first, under Chinese labels", async () => {
    const response = await download(app, route, { kind: "deposit", ...DAY });
    expect(response.headers["content-disposition"]).toContain(encodeURIComponent("存款记录.xlsx"));
    expect(cellsOf(response)).toEqual([
      DEPOSIT_LABELS,
      ["ben-name", 100, "2024-05-10 12:00:00", "d2", "代理充值", "app", "已冲正", TIME, "退款"],
      ["anna-name", 88.8, "2024-05-10 12:00:00", "=d1", "第三方", "wap", "有效", "", ""],
    ]);
  });

  test("takes day, round, account, channel and client", async () => {
    const numbers = async (filters: Filters) =>
      (await rowsOf({ kind: "deposit", ...filters })).map((cells) => cells[3]);
    expect(await numbers({ start_date: "2024-05-10", rounds_name })).toEqual(["d2", "=d1"]);
    expect(await numbers({ ...DAY, user_name: "ANNA-name" })).toEqual(["=d1"]);
    expect(await numbers({ ...DAY, channel: 9, client: 3 })).toEqual(["d2"]);
  });

  test("is csv when asked for", async () => {
    const response = await download(app, route, { kind: "deposit", format: "csv", ...DAY });
    expect(response.headers["content-type"]).toBe("text/csv; charset=utf-8");
    const [labels, , anna] = response.body.split("\r\n");
    expect(labels).toBe(`\uFEFF${DEPOSIT_LABELS.join(",")}`);
    expect(anna).toBe("anna-name,88.80,2024-05-10 12:00:00,'=d1,第三方,wap,有效,,");
  });
});

describe("the file of bets", () => {
  test("has every match, newest first, under Chinese labels", async () => {
    expect(cellsOf(await download(app, route, { kind: "betlog", ...DAY }))).toEqual([
      BET_LABELS,
      ["ben-name", 100, "捕鱼", "2024-05-10 12:00:00", "b2", "已作废", TIME, ""],
      ["anna-name", 9_999_999_999.99, "真人", "2024-05-10 12:00:00", "b1", "有效", "", ""],
    ]);
  });

  test("ignores day and name of a round, as the specification says", async () => {
    const numbers = async (filters: Filters) =>
      (await rowsOf({ kind: "betlog", ...filters })).map((cells) => cells[4]);
    expect(await numbers({ ...DAY, start_date: "2024-05-11" })).toEqual(["b2", "b1"]);
    expect(await numbers({ ...DAY, rounds_name: "no such round" })).toEqual(["b2", "b1"]);
    expect(await numbers({ rounds_id })).toEqual(["b2", "b1"]);
    expect(await numbers({ ...DAY, type: 7234 })).toEqual(["b2"]);
  });
});

describe("what is refused", () => {
  const answer = async (filters: Filters) => (await download(app, route, filters)).json<object>();

  test("a file without dates", async () => {
    const fault = { code: 400, msg: "请选择要导出的日期" };
    for (const kind of ["deposit", "betlog"]) {
      expect(await answer({ kind })).toMatchObject(fault);
      expect(await answer({ kind, user_name: "anna-name" })).toMatchObject(fault);
      expect(await answer({ kind, start_time: DAY.start_time })).toMatchObject(fault);
    }
    // Ignored for bets, so it is no date filter.
    expect(await answer({ kind: "betlog", start_date: "2024-05-10" })).toMatchObject(fault);
  });

  test("an unknown round", async () => {
    expect(await answer({ kind: "deposit", rounds_id: 999_999 })).toMatchObject({ code: 404 });
    const byName = { kind: "deposit", rounds_name, start_date: "2024-05-12" };
    expect(await answer(byName)).toMatchObject({ code: 404 });
  });
});

test("a database without a free connection is an error, not a file", async () => {
  const connection = { host: "127.0.0.1", port: 1, user: "red", database: "none" };
  const options = { max: 1, name: "none", statementTimeoutMs: 1, onFault: () => {} };
  const exportDb = openDb(openPool(connection, options));
  const cut = await buildApp({ ...app.deps, exportDb });
  onTestFinished(async () => {
    await cut.close();
    await exportDb.destroy();
  });
  for (const format of ["csv", "xlsx"]) {
    const filters = { kind: "deposit", format, ...DAY };
    const response = await openWindow({ app: cut }, route, filters, app.token);
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 503, data: null });
    expect(response.headers["content-type"]).toContain("application/json");
    expect(response.headers).not.toHaveProperty("content-disposition");
  }
});

test("codes that no table has are written as unknown", async () => {
  async function* one<Row>(row: Row): AsyncGenerator<Row[]> {
    yield [row];
  }
  const lineOf = async (table: Table) => (await buffer(csvOf(table))).toString("utf8");
  const common = { user_name: "anna", created_at: "2026-11-20 20:00:00" };
  const deposit = { amount: "1.00", order_no: "d", channel: 10, client: 7, reversed: false };
  const back = { reversed_at: null, reversal_reason: null, voided_at: null, void_reason: null };
  expect(await lineOf(depositTable(one({ ...common, ...deposit, ...back })))).toContain(
    ",未知(10),未知(7),",
  );
  const bet = { validBetAmount: "1.00", bet_no: "b", type: 9234, voided: false };
  expect(await lineOf(betTable(one({ ...common, ...bet, ...back })))).toContain(",未知(9234),");
});

test("a HEAD request does not use up a file's ticket", async () => {
  const filters = { kind: "deposit", ...DAY };
  const token = await ticketFor(app, route, filters);
  const query = { ...filters, token };
  const { statusCode } = await app.app.inject({ method: "HEAD", url: route.path, query });
  expect(statusCode).toBe(404);
  expect((await openWindow(app, route, filters, token)).statusCode).toBe(200);
});
