import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { addTexts } from "#lib/language.ts";
import { DataTable } from "./data-table.tsx";
import type { ListTableProps } from "./data-table.tsx";
import type { ListState } from "./list-state.ts";
import { UI_TEXTS } from "./ui-texts.ts";

beforeAll(() => addTexts("ui", UI_TEXTS));
afterEach(cleanup);

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

/** Draws the list; answers how often a cell was drawn since it was last asked. */
function show() {
  const cell = vi.fn<(row: Row) => string>(({ id }) => `第 ${id} 行`);
  const page = (list: ListState<Row>, change: Partial<ListTableProps<Row>> = {}) => (
    <DataTable<Row>
      label="活动列表"
      // As a page has them: others with every drawing.
      columns={[{ key: "id", title: "ID", render: (row) => cell(row) }]}
      list={list}
      keyOf={({ id }) => id}
      nameOf={({ id }) => String(id)}
      {...change}
    />
  );
  const view = render(page(listOf(ROWS, false)));
  cell.mockClear();
  return (list: ListState<Row>, change?: Partial<ListTableProps<Row>>): number => {
    view.rerender(page(list, change));
    const drawn = cell.mock.calls.length;
    cell.mockClear();
    return drawn;
  };
}

function told() {
  const table = screen.getByRole("table");
  return [table.getAttribute("aria-busy"), table.closest(".k-stale") !== null];
}

it("does not draw rows once more that others are about to replace, and says that they are old", () => {
  const draw = show();
  expect(told()).toEqual(["false", false]);
  expect(draw(listOf(ROWS, true))).toBe(0);
  expect(told()).toEqual(["true", true]);
  expect(draw(listOf([{ id: 3 }], false))).toBeGreaterThan(0);
  expect(told()).toEqual(["false", false]);
  expect(screen.getByText("第 3 行")).toBeTruthy();
});

it("draws old rows anew for what is ticked or marked in them meanwhile", () => {
  const draw = show();
  expect(draw(listOf(ROWS, true), { markedKey: 2 })).toBeGreaterThan(0);
  const selection = { has: (key: unknown) => key === 1, mark: nothing };
  const ticking = { markedKey: 2, selection };
  expect(draw(listOf(ROWS, true), ticking)).toBeGreaterThan(0);
  expect(draw(listOf(ROWS, true), ticking)).toBe(0);
});
