/** Questions about a player, deposits and bets, extra times (spec §2, §5). */
import type { Page } from "@playwright/test";
import { whileCut } from "./scene.ts";
import type { Scene, States } from "./scene.ts";
import { choose, clearDate } from "./steps.ts";

const DRAWS = "用户活动查询";
const INFO = "玩家信息查询";

async function openDraws(scene: Scene): Promise<Page> {
  const page = await scene.open("/activity_manage/record");
  await page.getByRole("button", { name: DRAWS }).click();
  await page.getByRole("dialog", { name: DRAWS }).waitFor();
  return page;
}

async function openInfo(scene: Scene): Promise<Page> {
  const page = await scene.open("/activity_manage/record");
  await page.getByRole("button", { name: "玩家信息", exact: true }).click();
  await page.getByRole("dialog", { name: INFO }).waitFor();
  return page;
}

async function ask(page: Page): Promise<Page> {
  await page.getByRole("dialog").getByRole("button", { name: "查询" }).click();
  return page;
}

async function fillAccount(page: Page, account = "fact01"): Promise<void> {
  await page.getByRole("dialog").getByLabel("账号").fill(account);
}

async function chooseRound(page: Page): Promise<void> {
  await choose(page.getByRole("dialog").getByRole("combobox", { name: "活动名称" }), "存款活动");
}

async function clearDay(page: Page): Promise<void> {
  await clearDate(page.getByRole("dialog").locator(".ant-picker"));
}

export const playerStates: States = {
  opened: (scene) => scene.open("/activity_manage/record"),
  "draws opened on the day": openDraws,
  "draws asked with nothing": async (scene) => {
    const page = await openDraws(scene);
    await clearDay(page);
    await fillAccount(page, "");
    return await ask(page);
  },
  "draws asked with the account": async (scene) => {
    const page = await openDraws(scene);
    await clearDay(page);
    await fillAccount(page);
    return await ask(page);
  },
  "draws asked without the day": async (scene) => {
    const page = await openDraws(scene);
    await fillAccount(page);
    await chooseRound(page);
    await clearDay(page);
    return await ask(page);
  },
  "draws answered": async (scene) => {
    const page = await openDraws(scene);
    await fillAccount(page);
    await chooseRound(page);
    return await ask(page);
  },
  "info opened": openInfo,
  "info asked with nothing": async (scene) => {
    const page = await openInfo(scene);
    await fillAccount(page, "");
    return await ask(page);
  },
  "info answered": async (scene) => {
    const page = await openInfo(scene);
    await fillAccount(page);
    return await ask(page);
  },
};

async function openEvents(scene: Scene, tab: "0" | "1"): Promise<Page> {
  const page = await scene.open(`/activity_manage/deposit_bet?tab=${tab}&user_name=fact01`);
  await page.getByRole("table").getByRole("rowheader").first().waitFor();
  return page;
}

async function exportCsv(page: Page): Promise<Page> {
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  return page;
}

export const eventStates: States = {
  deposits: (scene) => openEvents(scene, "0"),
  bets: (scene) => openEvents(scene, "1"),
  "deposits exported without a day": async (scene) => exportCsv(await openEvents(scene, "0")),
  "bets exported without a day": async (scene) => exportCsv(await openEvents(scene, "1")),
  "list failed": async (scene) => {
    const page = await openEvents(scene, "0");
    await whileCut(scene, "POST /gred/api/userInfo/deposit", async () => {
      await page.getByRole("button", { name: "刷新", exact: true }).click();
      await page.getByText("加载失败").waitFor();
    });
    return page;
  },
  "formats offered": async (scene) => {
    const page = await openEvents(scene, "0");
    await page.getByRole("button", { name: "导出", exact: true }).click();
    return page;
  },
  "user query opened": async (scene) => {
    const page = await openEvents(scene, "0");
    await page.getByRole("button", { name: DRAWS }).click();
    await page.getByRole("dialog", { name: DRAWS }).waitFor();
    return page;
  },
};

const EXTRA = "/activity_manage/add_num";

async function add(page: Page): Promise<Page> {
  const form = page.getByRole("region", { name: "添加次数" });
  await form.getByRole("button", { name: "添加", exact: true }).click();
  return page;
}

async function openExtra(scene: Scene, account = ""): Promise<Page> {
  const page = await scene.open(EXTRA);
  await page.getByRole("table").getByRole("rowheader").first().waitFor();
  await page.getByRole("region", { name: "添加次数" }).getByLabel("账号").fill(account);
  return page;
}

async function chooseGroup(page: Page): Promise<void> {
  const form = page.getByRole("region", { name: "添加次数" });
  await choose(form.getByRole("combobox", { name: "次数组别" }), "端午红包");
}

async function addTo(scene: Scene, account: string): Promise<Page> {
  const page = await openExtra(scene, account);
  await chooseGroup(page);
  await page.getByLabel("过期时间").fill(`${scene.tomorrow} 23:59:59`);
  await page.keyboard.press("Tab");
  return await add(page);
}

async function search(page: Page): Promise<Page> {
  await page.getByRole("search").getByRole("button", { name: "查询" }).click();
  return page;
}

export const extraTimesStates: States = {
  opened: (scene) => openExtra(scene),
  "nothing entered": async (scene) => add(await openExtra(scene)),
  "account entered": async (scene) => add(await openExtra(scene, "page00")),
  "account and group entered": async (scene) => {
    const page = await openExtra(scene, "page00");
    await chooseGroup(page);
    return await add(page);
  },
  added: (scene) => addTo(scene, "page00"),
  "adding refused": (scene) => addTo(scene, "nobody-of-this-name"),
  "searched without an account": async (scene) => search(await openExtra(scene)),
  "searched for an account": async (scene) => {
    const page = await openExtra(scene);
    await page.getByRole("search").getByLabel("账号").fill("fact01");
    return await search(page);
  },
};
