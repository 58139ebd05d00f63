/** Finance: the wallet's statement on 钱包对账, and a round's sheet on 活动对账表. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import type { Figure, Sheet } from "../week/hands.ts";
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

async function openSheet(desk: Desk, rounds_id: number): Promise<void> {
  const { page } = desk;
  await goTo(desk, "活动对账表");
  const search = page.getByRole("search");
  await search.getByRole("textbox", { name: "活动ID" }).fill(String(rounds_id));
  await search.getByRole("button", { name: "查询" }).click();
  await expect(page.getByRole("heading", { level: 2, name: `（${rounds_id}）` })).toBeVisible();
}

/** A line of one of the small tables: count and money. */
async function figureOf(page: Page, table: string, line: string): Promise<Figure> {
  const row = page
    .getByRole("table", { name: table, exact: true })
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name: line, exact: true }) });
  const [count = "", amount = ""] = await row.getByRole("cell").allInnerTexts();
  return { count: Number(count.replaceAll(",", "")), amount: amount.replaceAll(",", "") };
}

export async function readSheet(desk: Desk, rounds_id: number): Promise<Sheet> {
  const { page } = desk;
  await openSheet(desk, rounds_id);
  const total = async (line: string) => await figureOf(page, "汇总", line);
  const signs = page.getByRole("region", { name: "签核" }).getByRole("listitem");
  const signed = signs.filter({ hasText: "与当前数据一致" }).locator("strong");
  await desk.show("8-month-end-sheet");
  return {
    drawn: await total("已抽出"),
    paid: await total("已到账"),
    pending: await total("待发放"),
    unknown: await total("待核实"),
    refused: await total("失败"),
    closed: await total("已关闭"),
    delivered: await total("已发货"),
    difference: await total("差额"),
    listed: await figureOf(page, "钱包", "对账单"),
    wallet_difference: await figureOf(page, "钱包", "已到账与对账单之差"),
    signed_by: await signed.allInnerTexts(),
  };
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
