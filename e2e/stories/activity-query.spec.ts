/** The records of one account in one round: filtered, exported, re-issued in bulk with one refusal. */
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test, verify } from "./stage.ts";

async function missing(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.locator(".ant-message-notice", { hasText: text })).toHaveCount(1);
}

test("asked for, exported, re-issued with one refusal", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("query-op");
  const rounds_id = await makeOpenRound(operator, "数据查询", 100);
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "query-1", user_name: "query01" }],
  });
  await stage.wallet.control("refuse", { reason: "account frozen" });
  const drawn: string[] = [];
  for (const _ of [1, 2, 3]) {
    const { body } = await stage.platform.draw(askFor(rounds_id, "query-1"));
    drawn.push(textAt(body, "trans_sn"));
  }
  const statuses = async () =>
    (await operator.records(rounds_id))
      .map((record) => record.award_status)
      .toSorted((a, b) => a - b);
  await expect.poll(statuses).toEqual([2, 2, 2]);

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

  // Another operator is faster with one of the three; the page does not know yet.
  await stage.wallet.control("pay");
  const [taken] = await operator.records(rounds_id);
  await operator.data("POST", "/gred/api/record/reissue", { log_ids: [taken?.log_id] });
  await expect.poll(statuses).toEqual([1, 2, 2]);
  await page.getByRole("checkbox", { name: "全选本页" }).check();
  await page.getByRole("button", { name: "批量补发" }).click();
  const confirm = page.getByRole("dialog", { name: "confirm reissue?" });
  await confirm.getByRole("button", { name: "确定" }).click();
  const refused = page.getByRole("dialog", { name: "处理结果" });
  await expect(refused.getByRole("row")).toHaveCount(2);
  await expect(refused.getByRole("row").last()).toContainText(String(taken?.log_id));
  await expect.poll(statuses).toEqual([1, 1, 1]);
  const credits = await stage.wallet.creditsOf("query-1");
  expect(credits.map((credit) => credit.trans_sn).toSorted()).toEqual(drawn.toSorted());
  expect(await verify(stage)).toBe(true);
});
