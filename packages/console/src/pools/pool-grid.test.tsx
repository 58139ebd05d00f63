import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { PoolGrid } from "./pool-grid.tsx";
import { renderApp } from "#test/app.tsx";
import { PRIZE } from "#test/fixtures.ts";
import { refusal, serve, signIn } from "#test/server.ts";

beforeAll(() => signIn("pool.write"));

const ignore = () => undefined;
const cell = (row: number, column: string) =>
  screen.getByLabelText<HTMLInputElement>(`第 ${row} 行${column}`);
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const type = (row: number, column: string, value: string) =>
  fireEvent.change(cell(row, column), { target: { value } });

it("makes a pool from pasted rows, marks a refused cell, and keeps the others", async () => {
  const saved = serve(poolRoutes.save, () =>
    refusal(400, "名称已有", { errors: [{ field: "rows.1.award_name", msg: "名称已有" }] }),
  );
  const onSaved = vi.fn<(name: string) => void>();
  renderApp(<PoolGrid id={null} name="池" okText="创建奖池" onClose={ignore} onSaved={onSaved} />);
  const clipboardData = { getData: () => "红包\t¥8\t1\t10\t是\n水杯\t0\t3\t5\t否" };
  fireEvent.paste(await screen.findByLabelText("第 1 行奖品"), { clipboardData });
  await screen.findByText("2 种奖品，权重合计 4");
  expect(cell(1, "保底").checked).toBe(true);
  screen.getByText("75.00%");
  fireEvent.keyDown(cell(1, "权重"), { key: "Enter" });
  expect(document.activeElement).toBe(cell(2, "奖品"));

  press("创建奖池");
  await waitFor(() => expect(cell(2, "奖品").getAttribute("aria-invalid")).toBe("true"));
  expect(saved[0]?.body).toMatchObject({ pool_name: "池", is_new: true });
  serve(poolRoutes.save, { id: 9, added: 2, updated: 0, removed: 0 });
  type(2, "奖品", "保温杯");
  expect(cell(2, "奖品").getAttribute("aria-invalid")).toBe("false");
  press("创建奖池");
  await waitFor(() => expect(onSaved).toHaveBeenCalledWith("池"));
});

it("merges another operator's save, names the operator, and lets me choose the value of a cell", async () => {
  serve(prizeRoutes.list, { content: [PRIZE], total: 1 });
  const last = { version: 2, saved_by: "小李", saved_at: "2026-11-21 20:00:00" };
  serve(poolRoutes.versions, { content: [{ ...last, changes: [], prizes: [] }], total: 2 });
  serve(poolRoutes.save, () => refusal(409, "已被他人修改", {}, "pool_save_conflict"));
  renderApp(<PoolGrid id={3} name="池" okText="存好" onClose={ignore} onSaved={ignore} />);
  await screen.findByDisplayValue(PRIZE.award_name);
  type(1, "权重", "77");
  const theirs = { ...PRIZE, version: PRIZE.version + 1, weight: 55, award_total: 4321 };
  serve(prizeRoutes.list, { content: [theirs], total: 1 });
  press("存好");
  await screen.findByText("小李 于 2026-11-21 20:00:00 保存");
  screen.getByText(`第 1 行（${PRIZE.award_name}）总数：10 → 4321，已采用`);
  press("改回 10");
  expect(cell(1, "总数").value).toBe("10");
  press("改回 4321");
  const again = serve(poolRoutes.save, { id: 3, added: 0, updated: 1, removed: 0 });
  press("存好");
  const row = { version: theirs.version, weight: "77", award_total: "4321" };
  await waitFor(() => expect(again[0]?.body).toMatchObject({ rows: [row] }));
});
