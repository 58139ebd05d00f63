import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderApp } from "#test/app.tsx";
import { ListPanel } from "./list-panel.tsx";
import type { ListState } from "./list-state.ts";

interface Row {
  readonly id: number;
  readonly name: string;
}

const retry = vi.fn<() => void>();
const cancel = vi.fn<() => void>();
const ROWS: readonly Row[] = [{ id: 1, name: "8.88元红包" }];
const LOADED: ListState<Row> = {
  rows: ROWS,
  total: 1,
  since: 0,
  pending: false,
  stale: false,
  fetching: false,
  failed: false,
  stopped: false,
  retry,
  cancel,
};
const NOTHING: ListState<Row> = { ...LOADED, rows: [], total: 0 };

afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
  localStorage.clear();
});

function panel(list: ListState<Row>, filtered = false, onClear = () => undefined) {
  return (
    <ListPanel
      id="test"
      name="奖品"
      label="奖品列表"
      list={list}
      columns={[
        { key: "id", title: "ID", fixed: "start", render: ({ id }) => id },
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

it("distinguishes nothing yet, nothing found, failed and stopped", () => {
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

it("shows placeholders first, later the old rows, and the wait from 3 s on", () => {
  vi.useFakeTimers();
  const view = renderApp(panel({ ...NOTHING, pending: true, fetching: true }));
  expect(screen.getByRole("table").getAttribute("aria-busy")).toBe("true");
  expect(screen.queryByText("暂无数据")).toBeNull();
  view.rerender(panel({ ...LOADED, stale: true, fetching: true }));
  expect(screen.getByText("8.88元红包")).toBeTruthy();
  vi.advanceTimersByTime(2_900);
  expect(screen.queryByRole("button", { name: "取消" })).toBeNull();
});

it("offers to stop loading, and then says that the rows are outdated", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const view = renderApp(panel({ ...LOADED, stale: true, fetching: true }));
  await vi.advanceTimersByTimeAsync(3_100);
  expect(screen.getByText("仍在加载… 已等待 3 秒")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  expect(cancel).toHaveBeenCalledOnce();
  view.rerender(panel({ ...LOADED, stale: true, stopped: true }));
  expect(screen.getByText("已停止加载，显示的是上一次的结果。")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "取消" })).toBeNull();
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
