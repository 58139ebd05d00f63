import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { askFor } from "../outside/platform.ts";
import { findFaults } from "../screens/faults.ts";
import { THEMES } from "../screens/theatre.ts";
import { goOn, settle, showTheme } from "../screens/visit.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

async function faultsOf(page: Page, only?: string): Promise<readonly string[]> {
  const { nodes, faults } = await findFaults(page, only);
  // A page not rendered yet would have no faults.
  expect(nodes).toBeGreaterThan(only === undefined ? 15 : 5);
  return faults;
}

/** A list, tabs, and a form; `npm run prove -- axe` looks at every place. */
const PAGES = ["distribution", "prize", "add_num"].map((page) => `/activity_manage/${page}`);

test("a toast covers neither the search nor a drawer's title, and leaves nothing behind", async ({
  page,
  stage,
}) => {
  const { token } = await stage.operator();
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "toasts-1", user_name: "toasts01" }],
  });
  await openConsole(page, stage, token, "/activity_manage/config?player=toasts01");
  const drawer = page.getByRole("dialog", { name: /toasts01/ });
  await expect(drawer).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^网络已断开/)).toBeVisible();
  await page.context().setOffline(false);
  const toast = page.getByRole("alert").filter({ hasText: "已恢复连接" });
  const { y = 0 } = (await toast.boundingBox()) ?? {};
  for (const above of [drawer.locator(".ant-drawer-header"), page.locator("header")]) {
    const box = await above.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(y);
  }
  await expect(toast).toHaveCount(0);
});

test("screens have no accessibility faults, light and dark", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "无障碍", 100);
  const player = { player_id: "axe-1", user_name: "axe-1" };
  await stage.platform.call("POST", "/open/v1/players", { players: [player] });
  await stage.platform.draw(askFor(rounds_id, player.player_id));
  const found: Record<string, readonly string[]> = {};
  const look = async (what: string) => {
    for (const colorScheme of THEMES) {
      await showTheme(page, colorScheme);
      await settle(page);
      // Themes differ in colours only.
      const only = colorScheme === "dark" ? "color-contrast" : undefined;
      found[`${what} ${colorScheme}`] = await faultsOf(page, only);
    }
  };
  await page.goto(`${stage.switchboard.base}/red/login`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "登录" }).click();
  await look("login");
  await openConsole(page, stage, token, "/activity_manage/config");
  for (const path of PAGES) {
    await goOn(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await look(path);
  }
  await goOn(page, `/activity_manage/config?player=${player.user_name}`);
  await expect(page.getByRole("dialog").getByRole("region", { name: /^本活动/ })).toBeVisible();
  await look("player");
  const faulty = Object.entries(found).filter(([, faults]) => faults.length > 0);
  expect(Object.fromEntries(faulty)).toEqual({});
  expect(Object.keys(found).length).toBe(10);
});
