/** Story 9: an extra time for one player, then for a pasted list; each can be drawn with. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { numberAt } from "../outside/json.ts";
import { openConsole, test } from "./stage.ts";

async function choose(within: Locator, expire_time: string): Promise<void> {
  await within.getByLabel("次数组别").click();
  await within.page().getByTitle("周末红包").last().click();
  await within.getByLabel("过期时间").fill(expire_time);
  await within.getByLabel("过期时间").press("Tab");
}

test("extra times for one account and for a list", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("granter");
  const players = ["grant-1", "grant-2"].map((id) => ({ player_id: id, user_name: id }));
  await stage.platform.call("POST", "/open/v1/players", { players });
  const left = async (user_name: string) =>
    numberAt(
      await operator.data("GET", `/gred/api/extratimes/total?user_name=${user_name}`, null),
      "left_times",
    );
  const expire_time = shown(Date.now() + 3 * 86_400_000);

  await openConsole(page, stage, token, "/activity_manage/add_num");
  const form = page.getByRole("region", { name: "添加次数" });
  const add = form.getByRole("button", { name: "添加" });
  await add.click();
  await expect(form.getByText("please fill in the username")).toBeVisible();
  await form.getByLabel("账号").fill("grant-1");
  await add.click();
  await expect(form.getByText("please fill in the times group")).toBeVisible();
  await choose(form, "");
  await add.click();
  await expect(form.getByText("please select the date")).toBeVisible();
  await form.getByLabel("过期时间").fill(expire_time);
  await form.getByLabel("过期时间").press("Tab");
  await add.click();
  await expect(page.getByText("added successfully")).toBeVisible();
  expect(await left("grant-1")).toBe(1);

  const search = page.getByRole("search");
  await search.getByRole("button", { name: "查询" }).click();
  await expect(page.getByText("please enter the account")).toBeVisible();
  await search.getByLabel("账号").fill("grant-1");
  await search.getByRole("button", { name: "查询" }).click();
  await expect(page.getByLabel("grant-1 的剩余次数")).toContainText("剩余次数1");
  await expect(page.getByRole("row", { name: /grant-1/ })).toContainText("未使用");

  await page.getByRole("button", { name: "批量添加" }).click();
  const dialog = page.getByRole("dialog", { name: "批量添加" });
  await dialog.getByLabel(/账号/).fill("grant-1\ngrant-2, grant-2\nnobody-here");
  await expect(dialog).toContainText("共 3 个账号");
  await choose(dialog, expire_time);
  await dialog.getByRole("button", { name: "添加 3 次" }).click();
  const report = page.getByRole("dialog").filter({ hasText: "批量添加结果" });
  await expect(report).toContainText("已添加 2 次");
  await expect(report.getByLabel(/没有这些账号/)).toHaveValue("nobody-here");
  await expect(report.getByLabel(/重复的账号/)).toHaveValue("grant-2");
  await report.getByRole("button", { name: "关闭" }).click();
  await expect(page.getByLabel("grant-1 的剩余次数")).toContainText("剩余次数2");
  expect([await left("grant-1"), await left("grant-2")]).toEqual([2, 1]);
});
