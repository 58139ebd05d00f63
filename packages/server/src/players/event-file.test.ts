import { buffer } from "node:stream/consumers";
import { betTable, depositTable } from "./event-file.ts";
import { csvOf } from "#tables/csv-writer";
import type { Table } from "#tables/table";
import { expect, test } from "vitest";

const BACK = { reversed: true, reversed_at: "2026-11-20 21:00:00", reversal_reason: "退款" };
const VOID = { voided: true, voided_at: "2026-11-20 21:00:00", void_reason: null };

async function* one<Row>(row: Row): AsyncGenerator<Row> {
  yield row;
}

async function linesOf(table: Table): Promise<string[]> {
  return (await buffer(csvOf(table))).toString("utf8").trimEnd().split("\r\n").slice(1);
}

const DEPOSIT = {
  user_name: "anna",
  amount: "100.00",
  created_at: "2026-11-20 20:00:00",
  order_no: "d-1",
  channel: 3,
  client: 2,
  reversed: false,
  reversed_at: null,
  reversal_reason: null,
};
const BET = {
  user_name: "anna",
  validBetAmount: "100.00",
  type: 1234,
  created_at: "2026-11-20 20:00:00",
  bet_no: "b-1",
  voided: false,
  voided_at: null,
  void_reason: null,
};

test("codes are written by their labels, and those that no table has as unknown", async () => {
  expect((await linesOf(depositTable(one(DEPOSIT))))[0]).toContain(",第三方,wap,");
  const odd = { ...DEPOSIT, channel: 10, client: 7 };
  expect((await linesOf(depositTable(one(odd))))[0]).toContain(",未知(10),未知(7),");
  expect((await linesOf(betTable(one({ ...BET, type: 9234 }))))[0]).toContain(",未知(9234),");
});

test("what was taken back is written with when and why", async () => {
  const [labels, back] = (await buffer(csvOf(depositTable(one({ ...DEPOSIT, ...BACK })))))
    .toString("utf8")
    .split("\r\n");
  expect(labels).toMatch(/状态,冲正时间,冲正原因$/);
  expect(back).toMatch(/,已冲正,2026-11-20 21:00:00,退款$/);
  expect((await linesOf(depositTable(one(DEPOSIT))))[0]).toMatch(/,有效,,$/);
  expect((await linesOf(betTable(one({ ...BET, ...VOID }))))[0]).toMatch(
    /,已作废,2026-11-20 21:00:00,$/,
  );
});
