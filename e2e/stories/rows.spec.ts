/** How many records an operator sees at once, and that each is one line. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { askFor } from "../outside/platform.ts";
import { codeOf, stepAt } from "../outside/totp.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

/** Top of the table's head, number of rows in full view, and height of the tallest row. */
async function measured(page: Page, width: number, height: number) {
  await page.setViewportSize({ width, height });
  await expect(page.getByRole("group", { name: "按发放说明筛选" })).toBeVisible();
  const head = await page.locator("thead th").first().boundingBox();
  const bottom = await page.evaluate(
    "(() => { const box = document.querySelector('.ant-table-content'); return box.getBoundingClientRect().top + box.clientHeight; })()",
  );
  const rows = await page.locator("tr[data-row-key]").all();
  const boxes = await Promise.all(rows.map((row) => row.boundingBox()));
  const whole = boxes.filter((box) => box !== null && box.y + box.height <= Number(bottom) + 1);
  const tallest = Math.max(...boxes.map((box) => box?.height ?? 0));
  return { top: head?.y ?? 0, whole: whole.length, tallest };
}

test("records: whole rows of one line in view, also below both banners", async ({
  page,
  stage,
}) => {
  const { operator, token, seed } = await stage.operator("rows");
  const rounds_id = await makeOpenRound(operator, "行数", 100);
  const players = ["rows-1", "rows-2", "rows-3", "rows-4"];
  await stage.platform.register(...players, "rows-5");
  for (const player of players.flatMap((each) => Array.from({ length: 5 }, () => each))) {
    await stage.platform.draw(askFor(rounds_id, player));
  }
  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  await expect(page.locator("tr[data-row-key]")).toHaveCount(20);
  const usual = await measured(page, 1440, 900);
  expect(usual.top).toBeLessThan(260);
  expect(usual.tallest).toBeGreaterThanOrEqual(36);
  expect(usual.tallest).toBeLessThanOrEqual(40);
  expect(usual.whole).toBeGreaterThanOrEqual(13);
  expect((await measured(page, 1024, 768)).whole).toBeGreaterThanOrEqual(7);

  await stage.wallet.control("pay_then_500", { on: "both" });
  await stage.platform.draw(askFor(rounds_id, "rows-5"));
  const banners = page.getByRole("complementary", { name: "系统提示" });
  await expect(banners).toContainText("起无有效答复。", { timeout: 30_000 });
  await operator.data("PUT", "/gred/api/stop/payouts", {});
  await expect(banners).toContainText("恢复", { timeout: 30_000 });
  expect((await measured(page, 1440, 900)).whole).toBeGreaterThanOrEqual(8);
  await stage.wallet.control("pay");
  const code = codeOf(seed, stepAt(Date.now()) + 1);
  await operator.data("PUT", "/gred/api/stop/payouts/start", { code });
});
