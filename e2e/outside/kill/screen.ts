/** The sheets of rounds as an operator reads them: a real browser signs in and opens their pages. */
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { findChromium } from "../../../tools/find-chromium.ts";
import type { Round } from "../context.ts";
import { codeOf, stepAt } from "../totp.ts";
import { readSheetPage } from "../../stories/sheet.ts";
import type { SheetPage } from "../../stories/sheet.ts";
import type { Stage } from "./stage.ts";

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

/** Reads the sheets of `rounds`, one page after the other in one session; by round id. */
export async function readScreens(
  stage: Stage,
  rounds: readonly Round[],
): Promise<ReadonlyMap<number, SheetPage>> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const context = await browser.newContext({ locale: "zh-CN", timezoneId: "Asia/Shanghai" });
    const page = await context.newPage();
    const shown = new Map<number, SheetPage>();
    for (const [at, round] of rounds.entries()) {
      await page.goto(`${stage.base}/red/activity_manage/sheet?rounds_id=${round.id}`);
      if (at === 0) {
        await signIn(page, stage);
      }
      shown.set(round.id, await readSheetPage(page, round.id));
    }
    return shown;
  } finally {
    await browser.close();
  }
}
