/** The records of one account in one round: filtered and exported. */
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

async function missing(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.locator(".ant-message-notice", { hasText: text })).toHaveCount(1);
}

test("asked for and exported", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "数据查询", 100);
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "query-1", user_name: "query01" }],
  });
  const drawn: string[] = [];
  for (const _ of [1, 2, 3]) {
    const { body } = await stage.platform.draw(askFor(rounds_id, "query-1"));
    drawn.push(textAt(body, "trans_sn"));
  }

  await openConsole(page, stage, token, "/activity_manage/query");
  await missing(page, "please fill in the username");
  await page.getByRole("textbox", { name: "账号" }).fill("query01");
  await missing(page, "please select the date");
  await page.getByRole("textbox", { name: "活动日期" }).fill(shown(Date.now()).slice(0, 10));
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "活动名称" }).click();
  await page.locator(".ant-select-item-option", { hasText: "数据查询" }).click();
  const start = page.locator("#query_date");
  await expect(start).toHaveValue(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await expect(start).toBeDisabled();
  await expect(page.getByRole("combobox", { name: "投注平台" })).toBeHidden();
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByRole("row", { name: /query01/ })).toHaveCount(3);

  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "导出" }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  const csv = await readFile(await (await downloading).path(), "utf8");
  expect(drawn.filter((trans_sn) => csv.includes(trans_sn))).toEqual(drawn);
});
