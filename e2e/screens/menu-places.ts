/** What drops down from a button or a field. */
import { named } from "./place.ts";
import type { Look, Place } from "./place.ts";

const CONFIG = "/activity_manage/config";

/** Clicks a button, and waits for its menu: the first of them is loaded by the click. */
function openMenu(zh: string, en: string, within = "body") {
  return async ({ page }: Look) => {
    await page
      .locator(within)
      .getByRole("button", { name: named(zh, en) })
      .first()
      .click();
    await page.getByRole("menuitem").first().waitFor();
  };
}

export const MENU_PLACES: readonly Place[] = [
  { name: "menu-user", route: CONFIG, open: openMenu("用户菜单", "User menu"), bare: true },
  { name: "menu-density", route: CONFIG, open: openMenu("密度", "Density"), bare: true },
  {
    name: "menu-export",
    route: "/activity_manage/distribution",
    open: openMenu("导出", "Export"),
  },
  {
    name: "menu-pool",
    route: "/activity_manage/prize",
    search: ({ pool }) => `?pool=${pool}`,
    open: openMenu("更多", "More", ".k-tools"),
  },
  {
    name: "find-pool",
    route: "/activity_manage/prize",
    search: ({ pool }) => `?pool=${pool}`,
    open: async ({ page }) => {
      await page.getByRole("combobox", { name: named("全部 ", "All ") }).click();
      await page.locator(".ant-select-item-option").first().waitFor();
    },
  },
  {
    name: "find-player",
    route: CONFIG,
    open: async ({ page, ids }) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: named("查找玩家", "Find a player") }).waitFor();
      await page.keyboard.type(ids.account.slice(0, 12));
      await page.locator(".s-find-option").first().waitFor();
    },
  },
  {
    name: "choose-group",
    route: CONFIG,
    open: async ({ page }) => {
      const filters = page.getByRole("search");
      const more = filters.getByRole("button", { name: named("展开", "More filters") });
      if (await more.isVisible()) {
        await more.click();
      }
      await filters.getByRole("combobox").first().click();
      await page.locator(".ant-select-item-option").first().waitFor();
    },
  },
];
