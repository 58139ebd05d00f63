import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Pager } from "./pager.tsx";

it("shows total, sizes, pages and jumper in the specification's order, each named", () => {
  const onChange = vi.fn<() => void>();
  const { container } = render(<Pager page={1} size={20} total={4_000} onChange={onChange} />);
  expect(container.textContent).toMatch(/^共 4,000 条.*20 条\/页.*123.*200跳至.*页$/);
  expect(screen.getAllByRole("button").map((button) => button.getAttribute("aria-label"))).toEqual([
    "上一页",
    "第 1 页",
    "第 2 页",
    "第 3 页",
    "向后 3 页",
    "第 200 页",
    "下一页",
  ]);
  expect(screen.getByRole("button", { current: "page" }).textContent).toBe("1");
  fireEvent.click(screen.getByRole("button", { name: "第 2 页" }));
  expect(onChange).toHaveBeenCalledWith({ page: 2, size: 20 });
  expect(screen.queryAllByRole("img")).toEqual([]);
  // Each button is one tab stop, and a key press turns one page.
  expect(container.querySelectorAll("li[tabindex]")).toHaveLength(0);
  const next = screen.getByRole("button", { name: "下一页" });
  expect(next.tabIndex).toBe(0);
  onChange.mockClear();
  fireEvent.keyDown(next, { key: "Enter" });
  expect(onChange.mock.calls).toEqual([[{ page: 2, size: 20 }]]);
});

it.each([
  [4_000, "７", 7],
  [4_000, "900", 200],
  [3, "2", 1],
])("jumps within %s rows to %s", (total, value, page) => {
  const onChange = vi.fn<() => void>();
  render(<Pager page={2} size={20} total={total} onChange={onChange} />);
  const jumper = screen.getByRole("textbox", { name: "跳至第几页" });
  fireEvent.change(jumper, { target: { value } });
  fireEvent.keyDown(jumper, { key: "Enter" });
  expect(onChange.mock.calls).toEqual([[{ page, size: 20 }]]);
  expect(jumper).toHaveProperty("value", "");
});
