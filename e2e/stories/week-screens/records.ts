/** Records and their payouts, on 发放记录: found by a filter, and dealt with one by one or all at once. */
import { expect } from "@playwright/test";
import { exported, pick } from "../form.ts";
import type { Pointed } from "../../outside/week/hands.ts";
import { goTo } from "./desk.ts";
import type { Desk } from "./desk.ts";

interface Wanted {
  readonly rounds_id: number;
  readonly status: "发放中" | "失败";
  readonly award_price?: string;
}

/** Asks for the records of a round that are in a state; there are some. */
async function find(desk: Desk, { rounds_id, status, award_price }: Wanted): Promise<void> {
  const { page } = desk;
  await goTo(desk, "发放记录");
  const search = page.getByRole("search");
  await search.getByRole("textbox", { name: "活动ID" }).fill(String(rounds_id));
  await search.getByRole("textbox", { name: "面额" }).fill(award_price ?? "");
  await pick(page, search.getByRole("combobox", { name: "发放状态" }), status);
  await search.getByRole("button", { name: "查询", exact: true }).click();
  const rows = page
    .getByRole("row")
    .filter({ has: page.getByRole("checkbox", { name: /^选择 / }) });
  await expect(rows.filter({ hasNotText: `ID ${rounds_id}` })).toHaveCount(0);
  await expect(rows.filter({ hasNotText: status })).toHaveCount(0);
  await expect(rows).not.toHaveCount(0);
}

/** Ticks everything that was found, on whatever page it is. */
async function tickAll({ page }: Desk): Promise<void> {
  await page.getByRole("checkbox", { name: "全选本页" }).check();
  const bar = page.getByRole("status").filter({ hasText: /^已选/ });
  await expect(bar).toBeVisible();
  const all = page.getByRole("button", { name: /^选择全部/ });
  if (await all.isVisible()) {
    await all.click();
    await expect(all).toBeHidden();
  }
}

async function agreeToReissue({ page }: Desk): Promise<void> {
  const sure = page.getByRole("dialog", { name: "confirm reissue?" });
  await sure.getByRole("button", { name: "确定" }).click();
  await expect(sure).toBeHidden();
}

export async function reissue(desk: Desk, { rounds_id, user_name }: Pointed): Promise<void> {
  await find(desk, { rounds_id, status: "失败" });
  await desk.page.getByRole("button", { name: new RegExp(`^补发 ${user_name} `) }).click();
  await agreeToReissue(desk);
}

export async function reissueRefused(desk: Desk, rounds_id: number): Promise<void> {
  await find(desk, { rounds_id, status: "失败" });
  await tickAll(desk);
  await desk.show("4-thursday-refused");
  await desk.page.getByRole("button", { name: "批量补发" }).click();
  await agreeToReissue(desk);
}

export async function close(
  desk: Desk,
  { rounds_id, user_name }: Pointed,
  reason: string,
): Promise<void> {
  const { page } = desk;
  await find(desk, { rounds_id, status: "失败" });
  await page.getByRole("button", { name: new RegExp(`^关闭 ${user_name} `) }).click();
  const dialog = page.getByRole("dialog", { name: "关闭发放" });
  await dialog.getByRole("textbox", { name: "关闭原因" }).fill(reason);
  await desk.show("5-friday-closing");
  await dialog.getByRole("button", { name: "关闭发放" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: user_name })).toContainText(reason);
}

/** Marks everything physical of a round that waits; answers how many the dialog says it will be. */
export async function deliver(desk: Desk, rounds_id: number, note: string): Promise<number> {
  const { page } = desk;
  await find(desk, { rounds_id, status: "发放中", award_price: "0.00" });
  await tickAll(desk);
  await page.getByRole("button", { name: "批量发货" }).click();
  const dialog = page.getByRole("dialog", { name: "标记发货" });
  await dialog.getByRole("textbox", { name: "备注" }).fill(note);
  await desk.show("7-sunday-delivering");
  const told = await dialog.innerText();
  await dialog.getByRole("button", { name: "标记发货" }).click();
  await expect(dialog).toBeHidden();
  return Number(/可标记发货 (\d+) 条/.exec(told)?.[1]);
}

export async function exportRecords(
  desk: Desk,
  rounds_id: number,
  format: "xlsx" | "csv",
): Promise<Buffer> {
  await goTo(desk, "发放记录");
  await desk.page.getByRole("textbox", { name: "活动ID" }).fill(String(rounds_id));
  return await exported(desk.page, "导出", format === "csv" ? "CSV" : "Excel（xlsx）");
}
