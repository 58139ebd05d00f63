/** The sheets of rounds as an operator reads them: a real browser signs in and opens their pages. */
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { findChromium } from "../../tools/find-chromium.ts";
import type { Round } from "../outside/context.ts";
import { codeOf, stepAt } from "../outside/totp.ts";
import type { Stage } from "./stage.ts";

/** What one sheet page shows. */
export interface ShownSheet {
  /** Each line of totals and wallet by its label, as `"12 × 34.50"`. */
  readonly lines: ReadonlyMap<string, string>;
  /** The sentence that says whether it ties out. */
  readonly verdict: string;
  /** Lines that are marked because they are off. */
  readonly marked: number;
}

/** A line of count and money in one way of writing, whether it was read on screen or in a file. */
export function line(count: string, amount: string): string {
  const number = (text: string) => Number(text.replaceAll(",", ""));
  return `${number(count)} × ${number(amount).toFixed(2)}`;
}

/** Signs in at the page that was asked for, with the code after the one that was used last. */
async function signIn(page: Page, { admin, seed }: Stage): Promise<void> {
  await page.getByLabel("用户名").fill(admin.username);
  await page.getByLabel("密码", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "登录" }).click();
  await page
    .getByRole("dialog")
    .getByRole("textbox")
    .fill(codeOf(seed, stepAt(Date.now()) + 1));
}

/** The lines of a table that is named by its heading. */
async function readTable(page: Page, name: string): Promise<[string, string][]> {
  const rows = page.getByRole("table", { name, exact: true }).locator("tbody tr");
  await rows.first().waitFor();
  const cells = await rows.locator("th, td").allTextContents();
  return (await rows.locator("th").allTextContents()).map((label, at) => {
    const [, count = "", amount = ""] = cells.slice(3 * at);
    return [label, line(count, amount)];
  });
}

async function readSheet(page: Page, round: Round): Promise<ShownSheet> {
  await page.getByRole("heading", { level: 2, name: `${round.name}（${round.id}）` }).waitFor();
  return {
    lines: new Map([...(await readTable(page, "汇总")), ...(await readTable(page, "钱包"))]),
    verdict: (await page.locator(".t-verdict").textContent()) ?? "",
    marked: await page.locator("tr.t-off").count(),
  };
}

/** Reads the sheets of `rounds`, one page after the other in one session; by round id. */
export async function readScreens(
  stage: Stage,
  rounds: readonly Round[],
): Promise<ReadonlyMap<number, ShownSheet>> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const context = await browser.newContext({ locale: "zh-CN", timezoneId: "Asia/Shanghai" });
    const page = await context.newPage();
    const shown = new Map<number, ShownSheet>();
    for (const [at, round] of rounds.entries()) {
      await page.goto(`${stage.base}/red/activity_manage/sheet?rounds_id=${round.id}`);
      if (at === 0) {
        await signIn(page, stage);
      }
      shown.set(round.id, await readSheet(page, round));
    }
    return shown;
  } finally {
    await browser.close();
  }
}
