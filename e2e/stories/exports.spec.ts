/** Exported files hold what the form says; the records of one account in one round are asked for, and exported. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { exported, pick } from "./form.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

async function refusedWith(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await expect(page.getByText(words).first()).toBeVisible();
}

test("a file holds what the form says when it is taken, or there is none", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "所填", 10);
  const players = ["form-1", "form-2"];
  await stage.platform.register(...players);
  const drawn: string[] = [];
  for (const player of players) {
    const { body } = await stage.platform.draw(askFor(rounds_id, player));
    drawn.push(textAt(body, "trans_sn"));
  }
  const files: string[] = [];
  page.on("download", (download) => files.push(download.suggestedFilename()));
  const csv = async () => (await exported(page, "导出", "CSV")).toString("utf8");
  const account = page.getByRole("search").getByLabel("账号");

  await openConsole(page, stage, token, "/activity_manage/distribution");
  await account.fill("form-2");
  await page.getByRole("button", { name: "展开", exact: true }).click();
  await page.getByLabel("活动ID").fill(String(rounds_id));
  const records = await csv();
  expect(records).toContain("form-2");
  expect(records).not.toContain("form-1");
  await expect(page.getByText("列表尚未按这些条件查询")).toBeVisible();
  const start = page.getByLabel("参与时间 开始时间");
  await start.fill("2026-11-31");
  await start.press("Escape");
  await refusedWith(page, "条件有误，请先更正；没有导出");
  await expect(page.getByText(/^时间填写有误/)).toBeVisible();
  await expect(start).toBeFocused();

  await openConsole(page, stage, token, "/activity_manage/query");
  await refusedWith(page, "please fill in the username");
  expect(files).toHaveLength(1);
  await account.fill("form-2");
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByText("please select the date").first()).toBeVisible();
  await page.getByRole("textbox", { name: "活动日期" }).fill(shown(Date.now()).slice(0, 10));
  await page.keyboard.press("Enter");
  await pick(page, page.getByRole("combobox", { name: "活动名称" }), "所填");
  const window = page.locator("#query_date");
  await expect(window).toHaveValue(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  await expect(window).toBeDisabled();
  await expect(page.getByRole("combobox", { name: "投注平台" })).toBeHidden();
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByRole("row", { name: /form-2/ })).toHaveCount(1);
  const asked = await csv();
  expect(drawn.map((trans_sn) => asked.includes(trans_sn))).toEqual([false, true]);
});
