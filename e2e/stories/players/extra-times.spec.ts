/** Story 9: an extra time for one player, then for a pasted list; some are taken back. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { listAt } from "../../outside/json.ts";
import { openConsole, test } from "../stage.ts";

async function choose(within: Locator, expire_time: string): Promise<void> {
  await within.getByLabel("次数组别").click();
  await within.page().getByTitle("周末红包").last().click();
  // A Tab within a few milliseconds is for the list that closes.
  await expect(within.page().locator(".ant-select-dropdown:visible")).toHaveCount(0);
  await within.page().keyboard.press("Tab");
  await expect(within.getByLabel("过期时间")).toBeFocused();
  await within.page().keyboard.type(expire_time);
  await within.page().keyboard.press("Tab");
}

test("extra times for one account and for a list", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const names = ["grant-1", "grant-2", "grant-3", "grant-10"];
  await stage.platform.register(...names);
  const rows = async (user_name: string) => {
    const path = `/gred/api/extratimes/list?user_name=${user_name}`;
    return listAt(await operator.data("GET", path, null), "content").length;
  };
  const allLeft = () => Promise.all(names.map(operator.leftTimes));
  const expire_time = shown(Date.now() + 3 * 86_400_000);

  await openConsole(page, stage, token, "/activity_manage/add_num");
  const form = page.getByRole("region", { name: "添加次数" });
  const add = form.getByRole("button", { name: "添加" });
  await add.click();
  await expect(form.getByText("please fill in the username")).toBeVisible();
  await expect(form.getByText("please fill in the times group")).toBeVisible();
  await expect(form.getByText("please select the date")).toBeVisible();
  await form.getByLabel("账号").fill("grant-1");
  await choose(form, expire_time);
  // Pressed twice in haste: one time, for that player.
  await add.dblclick();
  await expect(page.getByText("added successfully")).toBeVisible();
  const account = form.getByLabel("账号");
  // Cleared for the next player.
  await expect(account).toHaveValue("");
  expect([await allLeft(), await rows("grant-1")]).toEqual([[1, 0, 0, 0], 1]);
  // By keyboard for another player; group and expiry are kept.
  await account.fill("grant-10");
  await account.press("Enter");
  await account.press("Enter");
  await expect(account).toHaveValue("");
  await expect(page.getByRole("row", { name: /grant-10/ })).toHaveCount(1);
  expect([await allLeft(), await rows("grant-10")]).toEqual([[1, 0, 0, 1], 1]);

  const search = page.getByRole("search");
  await search.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByText("please enter the account")).toBeVisible();
  await search.getByLabel("账号").fill("grant-1");
  await search.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByLabel("grant-1 的剩余次数")).toContainText("剩余次数1");
  // The rows of the last search stay until the new rows have come; also below.
  await expect(page.getByRole("row", { name: /grant-10/ })).toHaveCount(0);
  await expect(page.getByRole("row", { name: /grant-1/ })).toContainText("未使用");

  await page.getByRole("button", { name: "批量添加" }).click();
  const dialog = page.getByRole("dialog", { name: "批量添加" });
  // The preview: who is left out, how many are granted, and who had one of late.
  await dialog
    .getByLabel("账号（每行一个")
    .fill("Grant-1\ngrant-2, GRANT-2\nnobody-here\ngrant-3\ngrant-10 2020-01-01");
  await expect(dialog).toContainText("名单共 6 项，3 个账号各增加 1 次");
  await expect(dialog.getByLabel(/没有这些账号/)).toHaveValue("nobody-here");
  await expect(dialog.getByLabel(/重复的账号/)).toHaveValue("GRANT-2");
  await expect(dialog.getByLabel(/已过期的账号/)).toHaveValue("grant-10");
  const warning = dialog.getByText("24 小时内已加过这个组别的次数");
  await expect(warning).toBeHidden();
  expect(await allLeft()).toEqual([1, 0, 0, 1]);
  await choose(dialog, expire_time);
  await expect(warning).toContainText("其中 1 个账号");
  await expect(warning).toContainText("由 story-teller 于");
  await expect(dialog.getByLabel(/会再加一次/)).toHaveValue("Grant-1");
  await dialog.getByRole("button", { name: "给 3 个账号添加 3 次" }).click();
  const report = page.getByRole("dialog").filter({ hasText: "批量添加结果" });
  await expect(report).toContainText("已添加 3 次");
  await expect(report.getByLabel(/没有这些账号/)).toHaveValue("nobody-here");
  await expect(report.getByLabel(/重复的账号/)).toHaveValue("GRANT-2");
  await report.getByRole("button", { name: "关闭" }).click();
  await expect(page.getByLabel("grant-1 的剩余次数")).toContainText("剩余次数2");
  expect(await allLeft()).toEqual([2, 1, 1, 1]);

  // A single account in the form has the same warning.
  await form.getByLabel("账号").fill("grant-2");
  await expect(form).toContainText("24 小时内已加过这个组别的次数");

  // The list is taken back: first one account's time, then the rest of the batch.
  const taken = page.getByText(/^已收回/);
  const takeBack = async (button: string, reason: string, told: string, before = "") => {
    await page.getByRole("button", { name: button, exact: true }).click();
    const question = page.getByRole("dialog", { name: /收回/ });
    await expect(question).toContainText(before);
    await question.getByLabel("原因").fill(reason);
    await question.getByRole("button", { name: "收回", exact: true }).click();
    await expect(taken.last()).toHaveText(told);
  };
  await search.getByLabel("账号").fill("grant-3");
  await search.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByLabel("grant-3 的剩余次数")).toContainText("剩余次数1");
  await expect(page.getByRole("row", { name: /grant-1/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^只看批次/ }).click();
  await takeBack("收回 grant-3 的次数", "发错了", "已收回 1 次；已使用而保留 0 次");
  await expect(page.getByRole("row", { name: /grant-2/ })).toBeVisible();
  const batch = page.getByLabel(/^批次 #/);
  await expect(batch).toContainText("未使用（含已过期）2已使用0已收回1");
  await takeBack(
    "收回这一批",
    "整批发错了",
    "已收回 2 次；已使用而保留 0 次",
    "将收回未使用的 2 次（含已过期的）；已使用 0 次。",
  );
  await expect(batch).toContainText("未使用（含已过期）0已使用0已收回3");
  const gone = page.getByRole("row", { name: /grant-2/ });
  await expect(gone).toContainText(/已收回story-teller，.{19}：整批发错了/);
  expect(await allLeft()).toEqual([1, 0, 0, 1]);
});
