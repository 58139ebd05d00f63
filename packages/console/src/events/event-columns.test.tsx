import { render, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { betRoutes } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import type { Column } from "#ui/list-table.ts";
import { useBetColumns, useDepositColumns } from "./event-columns.tsx";

function cellsOf<Row>(useColumns: () => readonly Column<Row>[], rows: readonly Row[]) {
  const columns = renderHook(useColumns).result.current.filter(({ key }) => key !== "user_name");
  return rows.flatMap((row) =>
    columns.map((column) => render(column.render(row)).container.textContent),
  );
}

const DEPOSIT = {
  user_name: "anna",
  amount: "100.00",
  created_at: "2026-11-20 20:00:00",
  received_at: "2026-11-20 20:00:00",
  is_late: false,
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
  received_at: "2026-11-20 20:00:00",
  is_late: false,
  bet_no: "b-1",
  voided: false,
  voided_at: null,
  void_reason: null,
};

it("shows unknown codes as unknown", () => {
  const deposits = { content: [DEPOSIT], total: 1, depositTotal: "100.00" };
  const bets = { content: [BET], total: 1, betlogTotal: "100.00" };
  const depositCells = cellsOf(useDepositColumns, depositRoutes.list.data.parse(deposits).content);
  expect(depositCells).toEqual(expect.arrayContaining(["未知(10)", "未知(7)"]));
  expect(cellsOf(useBetColumns, betRoutes.list.data.parse(bets).content)).toContain("未知(9234)");
});

it("shows beside the time when a late row arrived", () => {
  const late = { received_at: "2026-11-20 20:07:09", is_late: true };
  for (const cells of [
    cellsOf(useDepositColumns, [DEPOSIT, { ...DEPOSIT, ...late }]),
    cellsOf(useBetColumns, [BET, { ...BET, ...late }]),
  ]) {
    expect(cells.filter((text) => text.startsWith("2026-"))).toEqual([
      "2026-11-20 20:00:00",
      "2026-11-20 20:00:00迟到 2026-11-20 20:07:09 到达",
    ]);
  }
});
