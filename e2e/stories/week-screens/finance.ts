/** Finance: the wallet's statement on 钱包对账, and a round's sheet on 活动对账表. */
import { expect } from "@playwright/test";
import { exported } from "../form.ts";
import { readSheetPage } from "../sheet.ts";
import type { Sheet } from "../../outside/week/hands.ts";
import { goTo, nextCode } from "./desk.ts";
import type { Desk } from "./desk.ts";

export async function compareWithWallet(desk: Desk, from: string, to: string): Promise<number> {
  const { page } = desk;
  await goTo(desk, "钱包对账");
  await page.getByRole("button", { name: "与钱包对账" }).click();
  const dialog = page.getByRole("dialog", { name: "与钱包对账" });
  const [start, end] = [dialog.getByRole("textbox").first(), dialog.getByRole("textbox").nth(1)];
  await start.fill(from);
  await start.press("Enter");
  await end.fill(to);
  await end.press("Enter");
  await expect(start).toHaveValue(from);
  await expect(end).toHaveValue(to);
  await dialog.getByRole("button", { name: "开始对账" }).click();
  await expect(dialog).toBeHidden();
  const [newest] = await page
    .getByRole("table", { name: "对账历史列表" })
    .getByRole("row")
    .filter({ hasText: "钱包接口" })
    .allInnerTexts();
  await desk.show("8-month-end-compared");
  return Number(/(\d+)（\d+）/.exec(newest ?? "")?.[1]);
}

/** From the list of rounds: the number of a round leads to its sheet. */
async function openSheet(desk: Desk, rounds_id: number): Promise<void> {
  const { page } = desk;
  await goTo(desk, "活动管理");
  const list = page.getByRole("table", { name: "活动列表" });
  await list.getByRole("link", { name: String(rounds_id), exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "活动对账表" })).toBeVisible();
}

export async function readSheet(desk: Desk, rounds_id: number): Promise<Sheet> {
  const { page } = desk;
  await openSheet(desk, rounds_id);
  const { lines, verdict, marked } = await readSheetPage(page, rounds_id);
  const line = (label: string) => lines.get(label) ?? { count: Number.NaN, amount: "" };
  const signs = page.getByRole("region", { name: "签核" }).getByRole("listitem");
  const signed = signs.filter({ hasText: "与当前数据一致" }).locator("strong");
  await desk.show("8-month-end-sheet");
  return {
    drawn: line("已抽出"),
    paid: line("已到账"),
    pending: line("待发放"),
    unknown: line("结果待确认"),
    refused: line("失败"),
    closed: line("已关闭"),
    delivered: line("已发货"),
    difference: line("差额"),
    listed: line("对账单"),
    wallet_difference: line("已到账与对账单之差"),
    agrees: verdict === "账目已平，与钱包对账单一致" && marked === 0,
    signed_by: await signed.allInnerTexts(),
  };
}

export async function exportSheet(desk: Desk, rounds_id: number): Promise<Buffer> {
  await openSheet(desk, rounds_id);
  return await exported(desk.page, "导出", "Excel（xlsx）");
}

export async function signSheet(desk: Desk, rounds_id: number): Promise<void> {
  const { page } = desk;
  await openSheet(desk, rounds_id);
  await page.getByRole("button", { name: "签核", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "签核对账表" });
  await dialog.getByLabel("动态验证码").fill(await nextCode(desk));
  await expect(dialog).toBeHidden();
  await expect(page.getByText("与当前数据一致")).toBeVisible();
  await desk.show("8-month-end-signed");
}
