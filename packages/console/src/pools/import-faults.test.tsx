import { fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { ImportFaults, faultsCsv } from "./import-faults.tsx";

const FAULTS = Array.from({ length: 2_500 }, (_, at) => ({
  row: at + 2,
  column: "weight",
  value: `z${at}`,
  msg: "权重 必须是整数",
}));

let saved: Blob[] = [];

beforeAll(() => {
  URL.createObjectURL = (blob: Blob) => {
    saved.push(blob);
    return "#saved";
  };
  URL.revokeObjectURL = () => {};
});
afterEach(() => {
  vi.restoreAllMocks();
  saved = [];
});

function show(count: number): void {
  render(<ImportFaults faults={FAULTS.slice(0, count)} />);
}

async function downloaded(): Promise<string[]> {
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  fireEvent.click(screen.getByRole("button", { name: "下载错误列表" }));
  expect(clicked).toHaveBeenCalledOnce();
  const [blob] = saved;
  return ((await blob?.text()) ?? "").trimEnd().split("\r\n");
}

function rowsShown(): number {
  return within(screen.getByRole("region", { name: "错误列表" })).getAllByRole("row").length - 1;
}

it.each([
  [100, 100, null],
  [101, 100, "仅显示前 100 处，全部 101 处请下载。"],
  [2_500, 100, "仅显示前 100 处，全部 2500 处请下载。"],
])("of %i faults shows %i, says so, and downloads all", async (count, shown, more) => {
  show(count);
  expect(screen.getByText(`文件有 ${count} 处错误，`, { exact: false })).toBeTruthy();
  expect(rowsShown()).toBe(shown);
  expect(screen.queryByText(/仅显示前/)?.textContent ?? null).toBe(more);
  const [header, ...lines] = await downloaded();
  expect(header).toContain('"行"');
  expect(lines).toEqual(
    FAULTS.slice(0, count).map(({ row, value, msg }) => `"${row}","权重","${value}","${msg}"`),
  );
});

it("writes faults as csv that no spreadsheet reads as formulas", () => {
  const fault = { row: 3, column: "权重", value: '=1+"2"', msg: "必须是整数" };
  expect(faultsCsv(["行", "列", "内容", "原因"], [fault])).toBe(
    '\uFEFF"行","列","内容","原因"\r\n"3","权重","\'=1+""2""","必须是整数"\r\n',
  );
});
