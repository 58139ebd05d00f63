/** How many records an operator sees at once, and that each is one line. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { askFor } from "../../outside/platform.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

/** Top of the table's head, number of rows in full view, and height of the tallest row. */
async function measured(page: Page, width: number, height: number) {
  await page.setViewportSize({ width, height });
  await expect(page.locator("tr[data-row-key]")).toHaveCount(20);
  await expect(page.locator(".r-states")).toBeVisible();
  const box = await page.locator(".ant-table-content").boundingBox();
  const { y: top = 0, height: tall = 0 } = box ?? {};
  const rows = await page.locator("tr[data-row-key]").all();
  const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
  const whole = boxes.filter((row) => row !== null && row.y + row.height <= top + tall);
  return { top, whole: whole.length, tallest: Math.max(...boxes.map((row) => row?.height ?? 0)) };
}

test("records: whole rows in view, also below both banners; sorted by key", async ({
  page,
  stage,
}) => {
  const { operator, token, seed } = await stage.operator("rows");
  const rounds_id = await makeOpenRound(operator, "行数", 100);
  const players = Array.from({ length: 21 }, (_, at) => `rows-${at}`);
  await stage.platform.register(...players);
  const draw = (player: string) => stage.platform.draw(askFor(rounds_id, player));
  await Promise.all(players.slice(1).map(draw));
  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  const usual = await measured(page, 1440, 900);
  expect(usual.top).toBeLessThan(260);
  expect(usual.tallest).toBeGreaterThanOrEqual(36);
  expect(usual.tallest).toBeLessThanOrEqual(40);
  expect(usual.whole).toBeGreaterThanOrEqual(13);
  for (const language of ["en", "zh"]) {
    await page.evaluate(`localStorage.setItem("language", "${language}")`);
    await page.reload();
    const small = await measured(page, 1024, 768);
    expect(small.top).toBeLessThan(260);
    expect(small.whole).toBeGreaterThanOrEqual(7);
  }

  const drawnAt = page.getByRole("columnheader", { name: "抽奖时间" });
  await drawnAt.press("Enter");
  await expect(drawnAt).toHaveAttribute("aria-sort", "ascending");
  await expect(page).toHaveURL(/order=oldest/);

  await stage.wallet.control("pay_then_500", { on: "both" });
  await draw("rows-0");
  const banners = page.getByRole("complementary", { name: "系统提示" });
  await expect(banners).toContainText("起无有效答复。", { timeout: 30_000 });
  await expect(banners).toContainText("最近一次：status 500。");
  await expect(banners).toContainText("等待发放 1 笔，合计 1.00。");
  await expect(banners).toContainText(/下次尝试：\d\d:\d\d:\d\d。|正在尝试。/);
  await operator.data("PUT", "/gred/api/stop/payouts", {});
  await expect(banners.getByRole("button", { name: /^恢复/ })).toBeVisible({ timeout: 30_000 });
  expect((await measured(page, 1440, 900)).whole).toBeGreaterThanOrEqual(8);
  await stage.wallet.control("pay");
  const code = codeOf(seed, stepAt(Date.now()) + 1);
  await operator.data("PUT", "/gred/api/stop/payouts/start", null, code);
  await expect(banners).toBeHidden({ timeout: 30_000 });
  const paid = players.map(() => "paid");
  await expect.poll(() => operator.states(rounds_id), { timeout: 60_000 }).toEqual(paid);
});
