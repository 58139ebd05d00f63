import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { DataTable } from "./data-table.tsx";
import type { ListState } from "./list-state.ts";

interface Row {
  readonly id: number;
}

const nothing = () => undefined;
const ROWS: readonly Row[] = [{ id: 1 }, { id: 2 }];

function listOf(rows: readonly Row[], isOnTheWay: boolean): ListState<Row> {
  return {
    rows,
    total: 4,
    since: 0,
    pending: false,
    stale: isOnTheWay,
    fetching: isOnTheWay,
    failed: false,
    stopped: false,
    retry: nothing,
    cancel: nothing,
  };
}

function page(list: ListState<Row>, title: string) {
  const columns = [{ key: "id", title, render: ({ id }: Row) => `${title} ${id}` }];
  return (
    <DataTable<Row>
      label="活动列表"
      columns={columns}
      list={list}
      keyOf={({ id }) => id}
      nameOf={({ id }) => String(id)}
    />
  );
}

function told() {
  const table = screen.getByRole("table");
  return [table.getAttribute("aria-busy"), table.closest(".k-stale") !== null];
}

it("marks its rows as outdated while new ones load, and when loading was stopped", () => {
  const view = render(page(listOf(ROWS, false), "ID"));
  expect(told()).toEqual(["false", false]);
  view.rerender(page(listOf(ROWS, true), "ID"));
  expect(told()).toEqual(["true", true]);
  view.rerender(page({ ...listOf(ROWS, true), fetching: false, stopped: true }, "ID"));
  expect(told()).toEqual(["false", true]);
});

it("shows outdated rows in a language chosen since", () => {
  const view = render(page(listOf(ROWS, true), "编号"));
  view.rerender(page(listOf(ROWS, true), "No."));
  expect(screen.getByRole("columnheader").textContent).toBe("No.");
  expect(screen.getByText("No. 2")).toBeTruthy();
});
