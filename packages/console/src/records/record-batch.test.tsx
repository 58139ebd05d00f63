import { cleanup, fireEvent, screen } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { IDS_PER_CALL_MAX } from "@red/contract/platform/limits";
import type { RecordPick } from "@red/contract/records/record";
import { wholeList } from "#ui/list-state.ts";
import { useRecordBatch, useRecordSelection } from "./record-batch.tsx";
import { recordRoutes } from "@red/contract/records/record";
import type { Data } from "@red/contract/platform/route";
import { renderApp } from "#test/app.tsx";
import { RECORD } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";
import type { Sent } from "#test/server.ts";

function pick(log_id: number, payout_state: RecordPick["payout_state"]): RecordPick {
  return { ...RECORD, log_id, user_name: `player${log_id}`, payout_state };
}

/** The records that the server lists. A third of these records cannot be re-issued. */
let matches: Data<typeof recordRoutes.ids>;
let calls: readonly Sent[] = [];

beforeAll(async () => {
  await signIn("record.read", "record.pay");
  calls = serve(recordRoutes.ids, () => matches);
});

const retry = vi.fn<() => void>();
beforeEach(() => retry.mockClear());

function Records({ rows, total }: { rows: readonly RecordPick[]; total: number }) {
  const filter = { rounds_id: 7 };
  const selection = useRecordSelection(filter);
  const list = { ...wholeList(rows), total, retry };
  const { bar, buttons } = useRecordBatch({ filter, selection, list, offered: ["reissue"] });
  return (
    <>
      {bar ?? buttons}
      <button type="button" onClick={() => selection.mark(rows.slice(0, 2), [])}>
        两条
      </button>
    </>
  );
}

function show(rows: readonly RecordPick[], total: number): void {
  renderApp(<Records rows={rows} total={total} />);
}

const ROWS = [pick(9, "refused"), pick(8, "paid"), pick(7, "refused")];

it("shows count, sum and what can be re-issued, and selects all matches", async () => {
  matches = { content: ROWS, total: 3 };
  show(ROWS, 3);
  fireEvent.click(screen.getByRole("button", { name: "两条" }));
  expect(screen.getByText("已选 2 条，合计 3.00")).toBeTruthy();
  expect(screen.getByText("可补发 1 条，合计 1.50")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "选择全部 3 条" }));
  expect(await screen.findByText("已选 3 条，合计 4.50")).toBeTruthy();
  expect(calls.at(-1)?.url).toContain("/gred/api/record/ids?rounds_id=7");
  expect(screen.queryByRole("button", { name: /^选择全部/ })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "清空选择" }));
  expect(screen.queryByText(/已选/)).toBeNull();
});

it("reloads the list only if the number of matches has changed", async () => {
  matches = { content: ROWS, total: 3 };
  show(ROWS, 4);
  fireEvent.click(screen.getByRole("button", { name: "两条" }));
  fireEvent.click(screen.getByRole("button", { name: "选择全部 4 条" }));
  await screen.findByText("已选 3 条，合计 4.50");
  expect(retry).toHaveBeenCalledOnce();
  cleanup();
  show(ROWS, 3);
  fireEvent.click(screen.getByRole("button", { name: "两条" }));
  fireEvent.click(screen.getByRole("button", { name: "选择全部 3 条" }));
  await screen.findByText("已选 3 条，合计 4.50");
  expect(retry).toHaveBeenCalledOnce();
});

it("reports a re-issue as accepted, not as successful", async () => {
  serve(recordRoutes.reissue, {
    reissued: 1,
    asked: 0,
    refused: [{ log_id: 8, reason: "只能补发失败的记录" }],
  });
  show(ROWS, 3);
  fireEvent.click(screen.getByRole("button", { name: "两条" }));
  fireEvent.click(screen.getByRole("button", { name: "批量补发" }));
  fireEvent.click(await screen.findByRole("button", { name: "确定" }));
  expect(await screen.findByText("已受理 1 条，合计 1.50，结果见列表；未处理 1 条：")).toBeTruthy();
});

it("says that more match than can be selected", async () => {
  const content = Array.from({ length: IDS_PER_CALL_MAX }, (_, index) =>
    pick(20_000 - index, index % 2 === 0 ? "refused" : "paid"),
  );
  matches = { content, total: 12_345 };
  show(content.slice(0, 20), 12_340);
  fireEvent.click(screen.getByRole("button", { name: "两条" }));
  fireEvent.click(screen.getByRole("button", { name: "选择最新的 10,000 条（共 12,340 条）" }));
  expect(await screen.findByText("已选 10,000 条，合计 15,000.00")).toBeTruthy();
  expect(screen.getByText("其中 9,980 条在其他页")).toBeTruthy();
  expect(screen.getByText("可补发 5,000 条，合计 7,500.00")).toBeTruthy();
  expect(
    screen.getByText("符合条件的共 12,345 条，一次最多选 10,000 条，较早的 2,345 条未选"),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^选择/ })).toBeNull();
});
