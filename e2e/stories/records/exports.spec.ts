/** The records of one account in one round are asked for, and exported. */
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { exported, pick } from "../form.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("a file holds one account's draws in one round, once all is filled in", async ({
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
  const account = page.getByRole("search").getByLabel("账号");

  await openConsole(page, stage, token, "/activity_manage/query");
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await expect(page.getByText("please fill in the username").first()).toBeVisible();
  expect(files).toEqual([]);
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
  const asked = (await exported(page, "导出", "CSV")).toString("utf8");
  expect(drawn.map((trans_sn) => asked.includes(trans_sn))).toEqual([false, true]);
});
