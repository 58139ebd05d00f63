/** Twelve tabs of one browser on HTTP/1.1, which opens six connections: each is live, and each answers a click. */
import { expect } from "@playwright/test";
import { askFor } from "../../outside/platform.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

const TABS = 12;
const ANSWER_MS = 1_000;

test("twelve live tabs, a click in each, and the first ones closed", async ({ page, stage }) => {
  test.slow();
  const { operator, token } = await stage.operator();
  const rounds = [
    await makeOpenRound(operator, "墙一", 100),
    await makeOpenRound(operator, "墙二", 100),
  ];
  await stage.platform.register("tabs-0");
  await openConsole(page, stage, token, "/overview");
  const address = page.url();
  const pages = [page];
  while (pages.length < TABS) {
    const tab = await page.context().newPage();
    await tab.goto(`${address}/${rounds[pages.length % 2]}`);
    pages.push(tab);
  }
  const isLive = async (tabs = pages) => {
    for (const tab of tabs) {
      await expect(tab.locator("[data-live=true]")).toBeVisible();
    }
  };
  await isLive();
  for (const tab of pages) {
    await tab.getByRole("button", { name: "全部暂停" }).click();
    await expect(tab.getByRole("dialog")).toBeVisible({ timeout: ANSWER_MS });
    await tab.keyboard.press("Escape");
    await tab.getByRole("button", { name: "任务" }).click();
    await tab.keyboard.press("Escape");
  }
  // The list in the last one is a call, which needs a connection.
  const last = pages.pop() ?? page;
  const answer = last.waitForResponse(/act\/list/, { timeout: 5_000 });
  await last.getByRole("link", { name: "活动管理" }).first().click();
  expect((await answer).ok()).toBe(true);

  for (const tab of pages.splice(0, 4)) {
    await tab.close();
  }
  await stage.platform.draw(askFor(rounds[0] ?? 0, "tabs-0"));
  await isLive();
  for (const tab of pages.filter((one) => one.url().endsWith(`/${rounds[0]}`))) {
    const drawn = tab.locator(`[data-source$="?rounds_id=${rounds[0]}"]`);
    await expect(drawn).toHaveText("1 1.00");
  }
});
