/** Distribution records and the activity data query (spec §2, §4, §5, §8). */
import type { Page } from "@playwright/test";
import { whileCut } from "./scene.ts";
import type { Scene, States } from "./scene.ts";
import { choose, clearDate, pickIn } from "./steps.ts";

const RECORDS = "/activity_manage/distribution";
const QUERY = "/activity_manage/query";

async function openRecords(scene: Scene, search = ""): Promise<Page> {
  const page = await scene.open(`${RECORDS}${search}`);
  await page.getByRole("table").getByRole("rowheader").first().waitFor();
  return page;
}

async function click(page: Page, name: string): Promise<Page> {
  await page.getByRole("button", { name, exact: true }).click();
  return page;
}

async function exportCsv(page: Page): Promise<Page> {
  await click(page, "导出");
  await page.getByRole("menuitem", { name: "CSV" }).click();
  return page;
}

/** A failed record that only this state knows. */
async function openFailed(scene: Scene): Promise<{ page: Page; log_id: number }> {
  const { user_name, log_id } = await scene.failedRecord();
  const page = await openRecords(scene, `?user_name=${user_name}`);
  return { page, log_id };
}

async function askToReissue(scene: Scene): Promise<{ page: Page; log_id: number }> {
  const { page, log_id } = await openFailed(scene);
  await page
    .getByRole("button", { name: /^补发 / })
    .first()
    .click();
  await page.getByRole("dialog").waitFor();
  return { page, log_id };
}

async function agree(page: Page): Promise<Page> {
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  return page;
}

export const recordStates: States = {
  opened: (scene) => openRecords(scene),
  "nothing selected": async (scene) => click(await openRecords(scene), "批量补发"),
  "export without an id": async (scene) => exportCsv(await openRecords(scene)),
  "re-issue asked": async (scene) => (await askToReissue(scene)).page,
  "re-issued": async (scene) => agree((await askToReissue(scene)).page),
  "re-issue refused": async (scene) => {
    const { page, log_id } = await askToReissue(scene);
    // Somebody else is faster; the page does not know of it yet.
    await scene.payOnce(log_id);
    return await agree(page);
  },
  successes: (scene) => openRecords(scene, `?award_status=1&rounds_id=${scene.rounds_id}`),
  failures: (scene) => openRecords(scene, `?award_status=2&rounds_id=${scene.rounds_id}`),
  "list failed": async (scene) => {
    const page = await openRecords(scene);
    await whileCut(scene, "GET /gred/api/record/list", async () => {
      await click(page, "刷新");
      await page.getByText("加载失败").waitFor();
    });
    return page;
  },
  "rows selected": async (scene) => {
    const page = await openRecords(scene);
    await page.getByRole("checkbox", { name: "全选本页" }).check();
    return page;
  },
  "today chosen for the range": async (scene) => {
    const page = await openRecords(scene);
    await pickIn(page.getByLabel("参与时间").first(), { text: "今天" });
    return page;
  },
};

async function fillName(page: Page): Promise<void> {
  await page.getByRole("search").getByLabel("账号").fill("fact01");
}

async function fillDay(page: Page, day: string): Promise<void> {
  await page.getByLabel("活动日期").fill(day);
  await page.keyboard.press("Tab");
}

async function chooseRound(page: Page, name: string): Promise<void> {
  await choose(page.getByRole("combobox", { name: "活动名称" }), name);
}

async function fillRange(page: Page, day: string): Promise<void> {
  await page.getByLabel("条件时间").first().fill(`${day} 00:00:00`);
  await page.keyboard.press("Tab");
  await page.getByLabel("条件时间").last().fill(`${day} 23:59:59`);
  await page.keyboard.press("Tab");
}

async function roundChosen(scene: Scene, name: string): Promise<Page> {
  const page = await scene.open(QUERY);
  await fillDay(page, scene.today);
  await chooseRound(page, name);
  return page;
}

async function asked(scene: Scene): Promise<Page> {
  const page = await roundChosen(scene, "存款活动");
  await fillName(page);
  await click(page, "查询");
  await page.getByRole("table").getByRole("rowheader").first().waitFor();
  return page;
}

export const queryStates: States = {
  opened: (scene) => scene.open(QUERY),
  "nothing filled in": async (scene) => click(await scene.open(QUERY), "查询"),
  "account filled in": async (scene) => {
    const page = await scene.open(QUERY);
    await fillName(page);
    return await click(page, "查询");
  },
  "account and range filled in": async (scene) => {
    const page = await scene.open(QUERY);
    await fillName(page);
    await fillRange(page, scene.today);
    return await click(page, "查询");
  },
  "all but the name filled in": async (scene) => {
    const page = await scene.open(QUERY);
    await fillDay(page, scene.today);
    await fillName(page);
    await fillRange(page, scene.today);
    return await click(page, "查询");
  },
  "all but the day filled in": async (scene) => {
    const page = await roundChosen(scene, "存款活动");
    await fillName(page);
    await clearDate(page.getByRole("search").locator(".ant-picker").first());
    return await click(page, "查询");
  },
  "day filled in": async (scene) => {
    const page = await scene.open(QUERY);
    await fillDay(page, scene.today);
    return page;
  },
  "activity of deposits chosen": (scene) => roundChosen(scene, "存款活动"),
  "activity of bets chosen": (scene) => roundChosen(scene, "投注活动"),
  "asked for": asked,
  "nothing selected": async (scene) => click(await asked(scene), "批量补发"),
  "re-issue asked": async (scene) => {
    const page = await asked(scene);
    await page
      .getByRole("button", { name: /^补发 / })
      .and(page.locator(":enabled"))
      .first()
      .click();
    await page.getByRole("dialog").waitFor();
    return page;
  },
  reset: async (scene) => click(await asked(scene), "重置"),
};
