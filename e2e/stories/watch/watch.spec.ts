/** Is tonight going well: one click after signing in, live on the round's board, and each figure leads to its rows. */
import { expect } from "@playwright/test";
import { askFor } from "../../outside/platform.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("overview in one click, a draw within two seconds, a figure's rows", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "看板", 100);
  await stage.platform.register("watch-0");
  await openConsole(page, stage, token, "/");
  await page.getByRole("link", { name: "总览" }).click();
  await expect(page.getByRole("main")).toContainText("需要处理");
  await page.getByRole("link", { name: "看板", exact: true }).click();
  const drawn = page.locator(`[data-source$="?rounds_id=${rounds_id}"]`);
  await expect(drawn).toHaveText("0 ");
  await expect(page.locator("[data-live=true]")).toBeVisible();
  await stage.platform.draw(askFor(rounds_id, "watch-0"));
  await expect(drawn).toHaveText("1 1.00", { timeout: 2_000 });

  await page.getByRole("button", { name: "每分钟抽奖 表格" }).click();
  const minute = page.locator('[data-chart=minutes] [data-count="1"]');
  const shown = await page.locator("[data-chart=minutes]").getAttribute("data-series");
  expect(shown).toMatch(/"data":\[(?:0,){58,59}1/);
  await minute.click();
  await expect(page.getByRole("table", { name: "发放记录列表" })).toContainText("watch-0");
  await expect(page.getByText("共 1 条", { exact: true })).toBeVisible();
});
