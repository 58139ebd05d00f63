/** Lists and menus of buttons and fields. */
import type { Locator } from "@playwright/test";
import { settle } from "../visit.ts";
import { menu, named } from "./place.ts";
import type { Look, Place, Step } from "./place.ts";

const CONFIG = "/activity_manage/config";
const PRIZE = "/activity_manage/prize?pool={pool}";

/** Chooses a day in a picker, which stays open, since the time is not confirmed. */
async function pickDay({ page }: Look, field: Locator): Promise<void> {
  await field.click();
  const days = page.locator(".ant-picker-dropdown td.ant-picker-cell-in-view");
  await days.first().waitFor();
  // On a small screen the sheet slides up, and the page below it moves.
  await settle(page);
  await days.nth(9).click();
}

/** The nth time field of the editor. */
function pickTime(nth: number): Step {
  return (look) =>
    pickDay(look, look.page.getByRole("dialog").locator(".ant-picker input").nth(nth));
}

/** Unfolds the hidden filters of a page. */
export async function unfold({ page }: Look): Promise<Locator> {
  const filters = page.getByRole("search");
  const more = filters.getByRole("button", { name: named("展开", "More filters") });
  if (await more.isVisible()) {
    await more.click();
  }
  return filters;
}

const options: Step = ({ page }) => page.locator(".ant-select-item-option").first().waitFor();

export const MENU_PLACES: readonly Place[] = [
  { name: "menu-user", at: CONFIG, open: menu("用户菜单", "User menu"), bare: true },
  { name: "menu-views", at: "/activity_manage/distribution", open: menu("视图", "Views") },
  { name: "menu-export", at: "/activity_manage/distribution", open: menu("导出", "Export") },
  {
    name: "menu-pool",
    at: PRIZE,
    open: async ({ page }) => {
      const tools = page.locator(".k-tools");
      await tools
        .getByRole("button", { name: named("更多", "More") })
        .first()
        .click();
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  {
    name: "find-pool",
    at: PRIZE,
    open: async (look) => {
      await look.page.getByRole("combobox", { name: named("全部 ", "All ") }).click();
      await options(look);
    },
  },
  {
    name: "bell",
    at: CONFIG,
    open: async ({ page }) => {
      await page.getByRole("button", { name: named("任务", "Jobs") }).click();
      await page.locator(".s-bell").filter({ visible: true }).waitFor();
    },
  },
  {
    name: "find-player",
    at: CONFIG,
    open: async ({ page, ids }) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: named("查找", "Find"), exact: true }).waitFor();
      await page.keyboard.type(ids.account.slice(0, 12));
      await page.locator(".s-find-option, .ant-select-item-empty").first().waitFor();
    },
  },
  {
    name: "choose-group",
    at: CONFIG,
    open: async (look) => {
      const filters = await unfold(look);
      await filters.getByRole("combobox").first().click();
      await options(look);
    },
  },
  {
    name: "pick-day",
    at: CONFIG,
    open: async ({ page }) => {
      await page.getByRole("search").locator(".ant-picker input").first().click();
      await page.locator(".ant-picker-dropdown").first().waitFor();
    },
  },
  {
    name: "pick-range",
    at: "/activity_manage/deposit_bet",
    open: async (look) => {
      const filters = await unfold(look);
      await pickDay(look, filters.locator("[data-range] input").first());
    },
  },
  { name: "pick-time-first", at: `${CONFIG}?new=1`, open: pickTime(0) },
  { name: "pick-time-last", at: `${CONFIG}?new=1`, open: pickTime(3) },
];
