/** The activity list and its editor (spec §2, §4, §5, §9). */
import type { Page } from "@playwright/test";
import { makeRound } from "./scene.ts";
import type { Scene, States } from "./scene.ts";
import { choose, pickIn } from "./steps.ts";

const LIST = "/activity_manage/config";
const PRESETS = [
  "累计有效存款每满",
  "累计存款达到",
  "单笔存款每满",
  "单笔存款达到",
  "累计有效投注每满",
  "累计投注达到",
  "单笔投注每满",
  "单笔投注达到",
  "不限",
  "白名单",
] as const;

/** A round that only this state knows; it starts tomorrow. */
async function freshRound(scene: Scene): Promise<{ id: number; name: string }> {
  const name = scene.fresh("一次性活动");
  const times = { today: scene.tomorrow, tomorrow: scene.tomorrow };
  const wish = { name, tag: "weekend", pool_name: "现金池", code: "0", times: 1 };
  return { id: await makeRound(scene.operator, times, wish), name };
}

async function openList(scene: Scene, search = ""): Promise<Page> {
  const page = await scene.open(`${LIST}${search}`);
  await page.getByRole("table").getByRole("switch").first().waitFor();
  return page;
}

async function openEditor(scene: Scene, search: string): Promise<Page> {
  const page = await scene.open(`${LIST}?${search}`);
  await page.getByRole("dialog").getByLabel("活动名称").waitFor();
  return page;
}

async function askToDelete(scene: Scene): Promise<Page> {
  const { name } = await freshRound(scene);
  const page = await openList(scene, `?rounds_name=${encodeURIComponent(name)}`);
  await page.getByRole("button", { name: `删除 ${name}` }).click();
  await page.getByRole("dialog").waitFor();
  return page;
}

/** On page 2 of size 10, after the switch of a row was clicked that was on, or off. */
async function switched(scene: Scene, wasOn: boolean): Promise<Page> {
  const name = encodeURIComponent("翻页活动");
  const search = `?rounds_name=${name}&page=2&size=10`;
  const page = await openList(scene, search);
  const row = page.getByRole("table").getByRole("row").nth(1);
  const id = Number(await row.getByRole("cell").first().innerText());
  const rounds_status = wasOn ? 1 : 0;
  await scene.operator.data("PUT", `/gred/api/act/pause/${id}`, { id, rounds_status });
  await page.getByRole("button", { name: "刷新", exact: true }).click();
  await row.getByRole("switch", { checked: wasOn }).click();
  await page.locator(".ant-message-notice").waitFor();
  return page;
}

/** One after the other in one form, as somebody who has not decided yet would. */
async function choosePreset(scene: Scene, name: string): Promise<Page> {
  const page = await scene.stay(`${LIST}?new=1`);
  await page.getByRole("dialog").getByLabel("活动名称").waitFor();
  await page.getByRole("dialog").getByText(name, { exact: true }).click();
  return page;
}

async function pickDay(page: Page, label: string): Promise<void> {
  await pickIn(page.getByRole("dialog").getByLabel(label), ".ant-picker-cell-today");
}

export const activityStates: States = {
  opened: (scene) => openList(scene),
  "a day's activities": (scene) => openList(scene, `?start_date=${scene.today}`),
  "the older page": (scene) => openList(scene, "?page=2&size=10"),
  "deletion asked": askToDelete,
  deleted: async (scene) => {
    const page = await askToDelete(scene);
    await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
    return page;
  },
  "switched off": (scene) => switched(scene, true),
  "switched on": (scene) => switched(scene, false),
  "switch refused": async (scene) => {
    const { id, name } = await freshRound(scene);
    const page = await openList(scene, `?rounds_name=${encodeURIComponent(name)}`);
    await scene.operator.data("POST", "/red/act/delete", { id });
    await page.getByRole("table").getByRole("switch").click();
    return page;
  },
};

export const editorStates: States = {
  "new activity": (scene) => openEditor(scene, "new=1"),
  "saved with nothing entered": async (scene) => {
    const page = await openEditor(scene, "new=1");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("站内信").fill("");
    await page.keyboard.press("Tab");
    await dialog.getByLabel("活动组别").hover();
    await dialog
      .locator(".ant-select", { has: page.locator("#tag") })
      .locator(".ant-select-clear")
      .click();
    await dialog.getByRole("button", { name: /^保存/ }).click();
    return page;
  },
  "days picked": async (scene) => {
    const page = await openEditor(scene, "new=1");
    await pickDay(page, "活动开始时间");
    await pickDay(page, "活动结束时间");
    await pickDay(page, "条件开始时间");
    await pickDay(page, "条件结束时间");
    return page;
  },
  added: async (scene) => {
    const page = await openEditor(scene, "new=1");
    await page.getByRole("dialog").getByText("不限", { exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("活动名称").fill(scene.fresh("新活动"));
    await choose(dialog.getByRole("combobox", { name: "奖池" }), "现金池");
    await choose(dialog.getByRole("combobox", { name: "流水倍数" }), "3 倍");
    await dialog.getByLabel("活动开始时间").fill(`${scene.tomorrow} 00:00:00`);
    await dialog.getByLabel("活动结束时间").fill(`${scene.tomorrow} 23:59:59`);
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "同活动时间" }).click();
    await dialog.getByRole("button", { name: /^保存/ }).click();
    return page;
  },
  edited: async (scene) => {
    const { id } = await freshRound(scene);
    const page = await openEditor(scene, `edit=${id}`);
    await page.getByRole("dialog").getByLabel("活动名称").fill(scene.fresh("改名活动"));
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^保存/ })
      .click();
    return page;
  },
  ...Object.fromEntries(
    PRESETS.map((name) => [`preset ${name}`, (scene: Scene) => choosePreset(scene, name)]),
  ),
};
