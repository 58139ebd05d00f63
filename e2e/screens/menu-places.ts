/** What drops down from a button or a field. */
import type { Locator } from "@playwright/test";
import { named } from "./place.ts";
import type { Look, Place } from "./place.ts";
import { settle } from "./visit.ts";

const CONFIG = "/activity_manage/config";

/** Chooses a day in the picker of a field, which stays open, as its time is not confirmed. */
async function pickDay({ page }: Look, field: Locator): Promise<void> {
  await field.click();
  const days = page.locator(".ant-picker-dropdown td.ant-picker-cell-in-view");
  await days.first().waitFor();
  // The sheet of a small screen comes up, and the page below it moves.
  await settle(page);
  await days.nth(9).click();
}

/** The editor's `nth` time. */
function pickTime(nth: number) {
  return async (look: Look) => {
    const times = look.page.getByRole("dialog").locator(".ant-picker input");
    await pickDay(look, times.nth(nth));
  };
}

/** All filters of a page, where some are folded away. */
async function unfold({ page }: Look): Promise<Locator> {
  const filters = page.getByRole("search");
  const more = filters.getByRole("button", { name: named("展开", "More filters") });
  if (await more.isVisible()) {
    await more.click();
  }
  return filters;
}

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
    open: async (look) => {
      const filters = await unfold(look);
      await filters.getByRole("combobox").first().click();
      await look.page.locator(".ant-select-item-option").first().waitFor();
    },
  },
  {
    name: "pick-day",
    route: CONFIG,
    open: async ({ page }) => {
      await page.getByRole("search").locator(".ant-picker input").first().click();
      await page.locator(".ant-picker-dropdown").first().waitFor();
    },
  },
  {
    name: "pick-range",
    route: "/activity_manage/deposit_bet",
    open: async (look) => {
      const filters = await unfold(look);
      await pickDay(look, filters.locator("[data-range] input").first());
    },
  },
  { name: "pick-time-first", route: CONFIG, search: () => "?new=1", open: pickTime(0) },
  { name: "pick-time-last", route: CONFIG, search: () => "?new=1", open: pickTime(3) },
];
