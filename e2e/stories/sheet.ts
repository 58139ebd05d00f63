/** The sheet of a round as its page shows it. */
import type { Page } from "@playwright/test";

export interface SheetPage {
  /** Lines of totals and wallet, by label; amounts without grouping. */
  readonly lines: ReadonlyMap<string, { readonly count: number; readonly amount: string }>;
  /** The sentence that says whether the sheet ties out. */
  readonly verdict: string;
  /** Number of lines marked as wrong. */
  readonly marked: number;
}

/** Lines of a table, found by its heading. */
async function readTable(page: Page, name: string) {
  const rows = page.getByRole("table", { name, exact: true }).locator("tbody tr");
  await rows.first().waitFor();
  const cells = await rows.locator("th, td").allTextContents();
  return (await rows.locator("th").allTextContents()).map((label, at) => {
    const [, count = "", amount = ""] = cells.slice(3 * at);
    const figure = { count: Number(count.replaceAll(",", "")), amount: amount.replaceAll(",", "") };
    return [label, figure] as const;
  });
}

export async function readSheetPage(page: Page, rounds_id: number): Promise<SheetPage> {
  await page.getByRole("heading", { level: 2, name: `（${rounds_id}）` }).waitFor();
  return {
    lines: new Map([...(await readTable(page, "汇总")), ...(await readTable(page, "钱包"))]),
    verdict: (await page.locator(".t-verdict").textContent()) ?? "",
    marked: await page.locator("tr.t-off").count(),
  };
}
