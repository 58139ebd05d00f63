import { buffer } from "node:stream/consumers";
import { betTable, depositTable } from "#files/event";
import { csvOf } from "#files/csv-writer";
import type { Table } from "#files/table";
import { expect, test } from "vitest";

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
};
const BET = {
  user_name: "anna",
  validBetAmount: "100.00",
  type: 1234,
  created_at: "2026-11-20 20:00:00",
  bet_no: "b-1",
  voided: false,
};

test("codes are written by their labels, and those that no table has as unknown", async () => {
  expect((await linesOf(depositTable(one(DEPOSIT))))[0]).toContain(",第三方,wap,");
  const odd = { ...DEPOSIT, channel: 10, client: 7 };
  expect((await linesOf(depositTable(one(odd))))[0]).toContain(",未知(10),未知(7),");
  expect((await linesOf(betTable(one({ ...BET, type: 9234 }))))[0]).toContain(",未知(9234),");
});
