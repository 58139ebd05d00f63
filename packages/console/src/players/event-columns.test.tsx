import { cleanup, render, renderHook, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { betRoutes } from "@red/contract/bet";
import { depositRoutes } from "@red/contract/deposit";
import type { Column } from "#ui/list-table.ts";
import { useBetColumns, useDepositColumns } from "./event-columns.tsx";

function show<Row>(columns: readonly Column<Row>[], row: Row): string[] {
  cleanup();
  render(
    <ul>
      {columns
        .filter(({ key }) => key !== "user_name")
        .map((column) => (
          <li key={column.key}>{column.render(row)}</li>
        ))}
    </ul>,
  );
  return screen.getAllByRole("listitem").map((cell) => cell.textContent);
}

const DEPOSIT = {
  user_name: "anna",
  amount: "100.00",
  created_at: "2026-11-20 20:00:00",
  order_no: "d-1",
  channel: 10,
  client: 7,
  reversed: false,
  reversed_at: null,
  reversal_reason: null,
};
const BET = {
  user_name: "anna",
  validBetAmount: "100.00",
  type: 9234,
  created_at: "2026-11-20 20:00:00",
  bet_no: "b-1",
  voided: false,
  voided_at: null,
  void_reason: null,
};

it("shows unknown codes as unknown", () => {
  const deposits = { content: [DEPOSIT], total: 1, depositTotal: "100.00" };
  const [deposit] = depositRoutes.list.data.parse(deposits).content;
  const bets = { content: [BET], total: 1, betlogTotal: "100.00" };
  const [bet] = betRoutes.list.data.parse(bets).content;
  if (deposit === undefined || bet === undefined) {
    throw new Error("the answer lost its row");
  }
  const depositCells = show(renderHook(useDepositColumns).result.current, deposit);
  expect(depositCells).toEqual(expect.arrayContaining(["未知(10)", "未知(7)"]));
  expect(show(renderHook(useBetColumns).result.current, bet)).toContain("未知(9234)");
});
