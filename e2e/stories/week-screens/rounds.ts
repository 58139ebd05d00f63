/** Rounds, on 活动管理: made from a preset, or copied from last week's. */
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import type { Round, Window } from "../../outside/context.ts";
import { roundForm } from "../../outside/setup.ts";
import type { RoundWish } from "../../outside/setup.ts";
import { pick, type } from "../form.ts";
import type { Tonight } from "../../outside/week/hands.ts";
import { goTo } from "./desk.ts";
import type { Desk } from "./desk.ts";

/** What the groups and presets of the week are called. */
export const GROUPS: Readonly<Record<string, string>> = {
  weekend: "周末红包",
  dragon: "端午红包",
};
const PRESETS: Readonly<Record<string, string>> = {
  "1,2,2": "累计有效存款每满",
  "0": "不限",
  "3": "白名单",
};

/** The id of the only round of this name on the list. */
async function idOf(page: Page, name: string): Promise<number> {
  const row = page
    .getByRole("row")
    .filter({ has: page.getByRole("button", { name: `编辑 ${name}`, exact: true }) });
  return Number(await row.getByRole("cell").first().innerText());
}

async function typeTimes(
  page: Page,
  dialog: Locator,
  times: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, text] of Object.entries(times)) {
    await type(page, dialog.getByLabel(label), text);
  }
}

export async function makeRound(desk: Desk, window: Window, wish: RoundWish): Promise<Round> {
  const { page } = desk;
  const { name, tag, preset } = wish;
  const form = roundForm(window, wish);
  await goTo(desk, "活动管理");
  await page.getByRole("button", { name: "新增活动" }).first().click();
  const dialog = page.getByRole("dialog", { name: "新增活动" });
  await dialog.getByLabel("活动名称").fill(name);
  await pick(page, dialog.getByRole("combobox", { name: "活动组别" }), GROUPS[tag] ?? tag);
  await pick(page, dialog.getByRole("combobox", { name: "奖池" }), form.pool_name);
  await dialog.getByText(PRESETS[preset.code] ?? preset.code, { exact: true }).click();
  await pick(page, dialog.getByRole("combobox", { name: "可抽取次数" }), `${preset.times} 次`);
  await pick(page, dialog.getByRole("combobox", { name: "流水倍数" }), `${form.turnover} 倍`);
  await typeTimes(page, dialog, {
    条件开始时间: form.achieve_start_time,
    条件结束时间: form.achieve_end_time,
    活动开始时间: form.start_time,
    活动结束时间: form.end_time,
  });
  await dialog.getByRole("button", { name: /^保存/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: `编辑 ${name}`, exact: true })).toBeVisible();
  return { id: await idOf(page, name), name, tag, date: form.start_time.slice(0, 10), preset };
}

/** Two clicks copy the round with its pool; then the copy is found by its day and changed. */
export async function copyRound(desk: Desk, tonight: Tonight): Promise<number> {
  const { page } = desk;
  const { rounds_name, start_time, end_time } = tonight;
  await goTo(desk, "活动管理");
  await page.getByRole("button", { name: `复制 ${rounds_name}` }).click();
  const copying = page.getByRole("dialog", { name: `复制活动「${rounds_name}」` });
  await copying.getByLabel("新奖池名称").fill(tonight.pool_name);
  await desk.show("1-monday-copying");
  await copying.getByRole("button", { name: /^复制/ }).click();
  await expect(copying).toBeHidden();
  const edit = page.getByRole("button", { name: `编辑 ${rounds_name}` });
  await expect(edit).toHaveCount(2);

  const search = page.getByRole("search");
  await type(page, search.getByLabel("活动开始日期"), start_time.slice(0, 10));
  await search.getByRole("button", { name: "查询" }).click();
  await expect(edit).toHaveCount(1);
  await edit.click();
  const dialog = page.getByRole("dialog", { name: "编辑活动" });
  await expect(dialog.getByLabel("活动名称")).toHaveValue(rounds_name);
  await pick(
    page,
    dialog.getByRole("combobox", { name: "可抽取次数" }),
    `${tonight.condition_times} 次`,
  );
  await typeTimes(page, dialog, { 活动开始时间: start_time, 活动结束时间: end_time });
  await dialog.getByRole("button", { name: /^保存/ }).click();
  await expect(dialog).toBeHidden();
  await desk.show("1-monday-copied");
  return await idOf(page, rounds_name);
}
