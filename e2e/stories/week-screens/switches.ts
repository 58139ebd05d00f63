/** What stands above every page: the wallet in trouble, and the switch that stops everything. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import type { Trouble } from "../../outside/week/hands.ts";
import { nextCode } from "./desk.ts";
import type { Desk } from "./desk.ts";

const STOPPED = "抽奖和发放已全部暂停";

function bannerOf(page: Page) {
  return page.getByRole("complementary", { name: "系统提示" });
}

export async function readTrouble(desk: Desk): Promise<Trouble | null> {
  const [text = ""] = await bannerOf(desk.page).filter({ hasText: "钱包异常" }).allInnerTexts();
  const [, since] = /自 (?:\S+ )?(\d\d:\d\d:\d\d) 起/.exec(text) ?? [];
  const [, count = "0", amount = "0.00"] =
    /等待发放 ([\d,]+) 笔，合计 ([\d,.]+)。/.exec(text) ?? [];
  if (since === undefined) {
    return null;
  }
  await desk.show("4-thursday-trouble");
  return { since, count: Number(count.replaceAll(",", "")), amount: amount.replaceAll(",", "") };
}

/** Has asked for it; what is answered is the click that does it. */
export async function stopEverything(desk: Desk): Promise<() => Promise<void>> {
  const { page } = desk;
  await page.getByRole("button", { name: "全部暂停", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "全部暂停？" });
  await expect(dialog).toBeVisible();
  await desk.show("7-sunday-stopping");
  return async () => {
    await dialog.getByRole("button", { name: "全部暂停" }).click();
    await expect(bannerOf(page)).toContainText(STOPPED);
    await expect(dialog).toBeHidden();
  };
}

export async function startEverything(desk: Desk): Promise<string> {
  const { page, authenticator } = desk;
  const banner = bannerOf(page);
  await desk.show("7-sunday-stopped");
  await banner.getByRole("button", { name: /^恢复/ }).click();
  const dialog = page.getByRole("dialog", { name: "恢复抽奖和发放" });
  const field = dialog.getByLabel("动态验证码");
  await field.fill(authenticator?.wrong() ?? "");
  const told = await dialog.getByRole("alert").innerText();
  await expect(field).toHaveValue("");
  await field.fill(await nextCode(desk));
  await expect(dialog).toBeHidden();
  await expect(banner.filter({ hasText: STOPPED })).toBeHidden();
  return told;
}
