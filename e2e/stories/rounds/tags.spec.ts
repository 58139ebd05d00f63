/** Story 10: a new group and a new message code can be chosen for a round. */
import { expect } from "@playwright/test";
import { openConsole, test } from "../stage.ts";

test("add and rename a group and a message code", async ({ page, stage }) => {
  const { token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/tag");
  await page.getByRole("button", { name: "新增组别" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByText("请填写活动组别")).toBeVisible();
  await dialog.getByLabel("组别标识").fill("mid_autumn");
  await dialog.getByLabel("名称").fill("中秋红包");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toBeHidden();

  // With animations, as for most operators.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.getByRole("button", { name: "新增站内信代码" }).click();
  await dialog.getByLabel("代码").fill("MOON_1");
  await dialog.getByLabel("名称").fill("中秋");
  await dialog.getByLabel("名称").press("Enter");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "改名 中秋", exact: true }).click();
  await dialog.getByLabel("名称").fill("中秋通知");
  await dialog.getByLabel("名称").press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /MOON_1/ })).toContainText("中秋通知");

  await expect(page.getByRole("row", { name: /mid_autumn/ })).toContainText("中秋红包");

  await page.goto(`${stage.switchboard.base}/red/activity_manage/config?new=1`);
  await expect(dialog.getByLabel("站内信")).toHaveValue("RED_PACKET");
  await expect(dialog.getByLabel("活动名称")).toBeFocused();
  await dialog.getByLabel("站内信").fill("moon");
  await page.getByText("MOON_1（中秋通知）").click();
  await expect(dialog.getByLabel("站内信")).toHaveValue("MOON_1");
});
