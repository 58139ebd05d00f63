/** Extra times for a pasted list, on 次数管理. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import { pick, type } from "../form.ts";
import type { Grant, Granted } from "../../outside/week/hands.ts";
import { goTo } from "./desk.ts";
import type { Desk } from "./desk.ts";
import { GROUPS } from "./rounds.ts";

/** The accounts that the report lists in such a field; none where it has no such field. */
async function namesIn(report: Locator, label: RegExp): Promise<string[]> {
  const field = report.getByLabel(label);
  return (await field.count()) === 0 ? [] : (await field.inputValue()).split("\n");
}

export async function grant(desk: Desk, { user_names, tag, expire_time }: Grant): Promise<Granted> {
  const { page } = desk;
  await goTo(desk, "次数管理");
  await page.getByRole("button", { name: "批量添加" }).click();
  const dialog = page.getByRole("dialog", { name: "批量添加" });
  await expect(dialog.getByLabel(/账号/)).toBeFocused();
  await page.keyboard.insertText(user_names.join("\n"));
  await pick(page, dialog.getByLabel("次数组别"), GROUPS[tag] ?? tag);
  await type(page, dialog.getByLabel("过期时间"), expire_time);
  await dialog.getByRole("button", { name: /^给 \d+ 个账号添加 \d+ 次$/ }).click();
  const report = page.getByRole("dialog").filter({ hasText: "批量添加结果" });
  const [, granted = ""] = /已添加 ([\d,]+) 次/.exec(await report.innerText()) ?? [];
  const told = {
    granted: Number(granted.replaceAll(",", "")),
    unknown: await namesIn(report, /没有这些账号/),
    doubled: await namesIn(report, /重复的账号/),
  };
  await desk.show("6-saturday-granted");
  await report.getByRole("button", { name: "关闭" }).click();
  await expect(report).toBeHidden();
  return told;
}
