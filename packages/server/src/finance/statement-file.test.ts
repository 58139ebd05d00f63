/** The rows that are read from a statement file, and the errors for a wrong file. */
import { expect, test } from "vitest";
import { readStatementFile } from "./statement-file.ts";

const readText = async (text: string) =>
  await readStatementFile(Buffer.from(text), "Asia/Shanghai", "en");
const HEAD = "trans_sn,amount,player_id,paid_at,wallet_ref";

test.each([HEAD, "流水号,面额,玩家ID,到账时间,钱包单号"])("reads rows under %s", async (head) => {
  const { rows, faults } = await readText(`${head}
t-1,8.88,p1,2026-11-20T12:00:01Z,w-1
t-2,0.01,p2,2026-11-20 20:00:01,
t-3,9,p3,2026-11-20T20:00:01,
`);
  const paid_at = new Date("2026-11-20T12:00:01Z");
  expect(faults).toEqual([]);
  expect(rows).toEqual([
    { trans_sn: "t-1", amount_cents: 888, player_id: "p1", paid_at, wallet_ref: "w-1" },
    { trans_sn: "t-2", amount_cents: 1, player_id: "p2", paid_at, wallet_ref: null },
    { trans_sn: "t-3", amount_cents: 900, player_id: "p3", paid_at, wallet_ref: null },
  ]);
});

const ID = "1 to 64 characters";
const BAD = (field: string) => `${field} contains characters that are not allowed`;
const AMOUNT = "面额 must be an amount with at most two decimals";

test.each([
  [`${"x".repeat(65)},8.88,p1,2026-11-20 20:00:01,`, "trans_sn", expect.any(String), ID],
  [",8.88,p1,2026-11-20 20:00:01,", "trans_sn", "", ID],
  ["t,8.888,p1,2026-11-20 20:00:01,", "amount", "8.888", AMOUNT],
  [`t,8.88,${"x".repeat(65)},2026-11-20 20:00:01,`, "player_id", expect.any(String), ID],
  ["t,8.88,,2026-11-20 20:00:01,", "player_id", "", ID],
  ["t,8.88,\uE0007i\uE001,2026-11-20 20:00:01,", "player_id", "", BAD("玩家ID")],
  ["\uE0007\uE001,8.88,p1,2026-11-20 20:00:01,", "trans_sn", "", BAD("流水号")],
  ["t,8.88,p1,2026-11-20 20:00:01,\uE0007\uE001", "wallet_ref", "", BAD("钱包单号")],
  ["t,8.88,p1,yesterday,", "paid_at", "yesterday", "到账时间 must be a time yyyy-MM-dd HH:mm:ss"],
])("refuses %s for its %s", async (line, column, value, msg) => {
  const whole = `${"x".repeat(64)},8.88,${"x".repeat(64)},2026-11-20 20:00:01,`;
  const { faults } = await readText(`${HEAD}\n${whole}\n${line}\n`);
  expect(faults).toEqual([{ row: 3, column, value, msg }]);
});

test("a column that is missing is said once, a cell that is missing by its row", async () => {
  const { rows, faults } = await readText(
    "trans_sn,amount,player_id,paid_at\nt-1,,p1,2026-11-20 20:00:01\n",
  );
  expect(rows).toEqual([]);
  expect(faults).toMatchObject([{ row: 2, column: "amount" }]);
  const missing = (await readText("trans_sn,amount\nt-1,1.00\n")).faults;
  expect(missing.map(({ msg }) => msg)).toEqual([
    "Column 玩家ID (player_id) is missing",
    "Column 到账时间 (paid_at) is missing",
  ]);
});
