/** What drops down from a button or a field. */
import { click, named } from "./place.ts";
import type { Place } from "./place.ts";

const CONFIG = "/activity_manage/config";

export const MENU_PLACES: readonly Place[] = [
  { name: "menu-user", route: CONFIG, open: click("用户菜单", "User menu"), bare: true },
  { name: "menu-density", route: CONFIG, open: click("密度", "Density"), bare: true },
  {
    name: "menu-export",
    route: "/activity_manage/distribution",
    open: click("导出", "Export"),
  },
  {
    name: "menu-pool",
    route: "/activity_manage/prize",
    search: ({ pool }) => `?pool=${pool}`,
    open: ({ page }) =>
      page
        .locator(".k-tools")
        .getByRole("button", { name: named("更多", "More") })
        .click(),
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
