import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderApp } from "#test/app.tsx";
import { ListPanel } from "./list-panel.tsx";
import { wholeList } from "./list-state.ts";
import type { ListState } from "./list-state.ts";

interface Row {
  readonly id: number;
  readonly name: string;
}

const retry = vi.fn<() => void>();
const cancel = vi.fn<() => void>();
const LOADED: ListState<Row> = { ...wholeList([{ id: 1, name: "8.88元红包" }]), retry, cancel };
const NOTHING: ListState<Row> = { ...LOADED, rows: [], total: 0 };

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
  localStorage.clear();
});

function panel(list: ListState<Row>, filtered = false, onClear = () => undefined, id = "ID") {
  return (
    <ListPanel
      id="test"
      name="奖品"
      label="奖品列表"
      list={list}
      columns={[
        { key: "id", title: id, fixed: "start", render: (row) => `${id} ${row.id}` },
        { key: "name", title: "名称", rowHeader: true, render: ({ name }) => name },
        { key: "weight", title: "权重", render: () => 10 },
        { key: "total", title: "总数", render: () => 99 },
      ]}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      filtered={filtered}
      onClearFilters={onClear}
      emptyAction={<button type="button">新增</button>}
    />
  );
}

function headers(): (string | null)[] {
  return screen.getAllByRole("columnheader").map((cell) => cell.textContent);
}

it("says why there are no rows: none yet, none found, failed or stopped", () => {
  const onClear = vi.fn<() => undefined>();
  const view = renderApp(panel(NOTHING));
  expect(screen.getByText("暂无数据")).toBeTruthy();
  expect(screen.getByRole("button", { name: "新增" })).toBeTruthy();
  view.rerender(panel(NOTHING, true, onClear));
  expect(screen.getByText("没有符合条件的结果")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "清除条件" }));
  expect(onClear).toHaveBeenCalledOnce();
  view.rerender(panel({ ...NOTHING, failed: true }, true));
  expect(screen.getByRole("alert").textContent).toContain("加载失败");
  fireEvent.click(screen.getByRole("button", { name: "重试" }));
  view.rerender(panel({ ...NOTHING, stopped: true }, true));
  expect(screen.queryByRole("alert")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "重试" }));
  expect(retry).toHaveBeenCalledTimes(2);
});

const RELOADING = { ...LOADED, stale: true, fetching: true };

/** Returns whether the table is busy, and whether its rows are marked as outdated. */
function marks(): (string | boolean | null)[] {
  const table = screen.getByRole("table");
  return [table.getAttribute("aria-busy"), table.closest(".k-stale") !== null];
}

it("shows placeholders, then old rows; can be stopped after 3 s, and marks outdated rows", () => {
  vi.useFakeTimers();
  const view = renderApp(panel({ ...NOTHING, pending: true, fetching: true }));
  expect(marks()).toEqual(["true", false]);
  expect(screen.queryByText("暂无数据")).toBeNull();
  view.rerender(panel(LOADED));
  expect(marks()).toEqual(["false", false]);
  view.rerender(panel(RELOADING));
  expect(marks()).toEqual(["true", true]);
  expect(screen.getByText("8.88元红包")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(2_900));
  expect(screen.queryByRole("button", { name: "取消" })).toBeNull();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.getByText("仍在加载… 已等待 3 秒")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  expect(cancel).toHaveBeenCalledOnce();
  view.rerender(panel({ ...LOADED, stale: true, stopped: true }));
  expect(marks()).toEqual(["false", true]);
  expect(screen.getByText("已停止加载，显示的是上一次的结果。")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "取消" })).toBeNull();
});

it("shows outdated rows in the language chosen since", () => {
  const view = renderApp(panel(RELOADING));
  view.rerender(panel(RELOADING, false, undefined, "No."));
  expect(headers()[0]).toBe("No.");
  expect(screen.getByText("No. 1")).toBeTruthy();
});

it("keeps the chosen columns, and restores the default", () => {
  const first = renderApp(panel(LOADED));
  expect(headers()).toEqual(["ID", "名称", "权重", "总数"]);
  fireEvent.click(screen.getByRole("button", { name: "列设置" }));
  const settings = within(screen.getByRole("dialog", { name: "列设置" }));
  fireEvent.click(settings.getByRole("checkbox", { name: "ID" }));
  expect(settings.getByRole("checkbox", { name: "名称" })).toHaveProperty("disabled", true);
  first.unmount();
  renderApp(panel(LOADED));
  expect(headers()).toEqual(["名称", "权重", "总数"]);
  fireEvent.click(screen.getByRole("button", { name: "列设置" }));
  fireEvent.click(screen.getByRole("button", { name: "恢复默认" }));
  expect(headers()).toEqual(["ID", "名称", "权重", "总数"]);
});
