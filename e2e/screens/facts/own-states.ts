/** States that need their own round, record, account or session. */
import type { Page } from "@playwright/test";
import { PRESET_LABELS } from "../../outside/expected-chances.ts";
import { dig, listAt, textAt } from "../../outside/json.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import { enterPassword } from "../places/pages.ts";
import { answer, click, enter } from "../places/place.ts";
import { makeRound } from "./scene.ts";
import type { Make, Scene } from "./scene.ts";
import { listed, save } from "./steps.ts";

const LIST = "/activity_manage/config";
const PRIZE = "/activity_manage/prize";
const agree = answer("确定");

/** A round of this state only, which starts tomorrow, and the list with it alone. */
async function freshRound(scene: Scene) {
  const name = scene.fresh("一次性活动");
  const times = { today: scene.ids.tomorrow, tomorrow: scene.ids.tomorrow };
  const wish = { name, tag: "weekend", pool_name: "现金池", code: "0", times: 1 };
  const id = await makeRound(scene.operator, times, wish);
  return { id, name, route: `${LIST}?rounds_name=${encodeURIComponent(name)}` };
}

async function askToDeleteRound(scene: Scene): Promise<Page> {
  const { name, route } = await freshRound(scene);
  const page = await scene.open(route);
  await click(`删除 ${name}`)(scene);
  return page;
}

/** On page 2 of size 10, after a click on the switch of a row that was on, or off. */
async function switched(scene: Scene, wasOn: boolean): Promise<Page> {
  const page = await scene.open(
    `${LIST}?rounds_name=${encodeURIComponent("翻页活动")}&page=2&size=10`,
  );
  await listed(scene);
  const row = page.getByRole("table").getByRole("row").nth(1);
  // Rows that are still on their way have cells without a number.
  const id = Number(await row.getByRole("cell").filter({ hasText: /^\d+$/ }).first().innerText());
  const rounds_status = wasOn ? 1 : 0;
  await scene.operator.data("PUT", `/gred/api/act/pause/${id}`, { id, rounds_status });
  await click("刷新")(scene);
  await row.getByRole("switch", { checked: wasOn }).click();
  await page.locator(".ant-message-notice").waitFor();
  return page;
}

/** Several presets in one form, like an undecided operator. */
async function choosePreset(scene: Scene, name: string): Promise<Page> {
  const page = await scene.stay(`${LIST}?new=1`);
  await page.getByRole("dialog").getByLabel("活动名称").waitFor();
  await page.getByRole("dialog").getByText(name, { exact: true }).click();
  return page;
}

/** A prize without weight and stock, which does not change the pool's sums. */
async function askToDeletePrize(scene: Scene): Promise<Page> {
  const award_name = scene.fresh("一次性奖品");
  const prize = { award_name, award_price: "1.00", weight: 0, award_total: 0, floors: 0 };
  await scene.operator.data("POST", "/gred/api/prize", { pool_name: "现金池", ...prize });
  const page = await scene.open(PRIZE);
  await page.getByRole("tab", { name: "现金池", exact: true }).click();
  await click(`删除 ${award_name}`)(scene);
  return page;
}

/** The page without a pool, and one of its buttons. */
async function withoutPools(scene: Scene, button: string): Promise<Page> {
  const { switchboard } = scene.stage;
  switchboard.swallow("GET /gred/api/pool", { content: [], total: 0 });
  const page = await scene.open(PRIZE);
  await page.getByText("还没有奖池，请先添加奖池").waitFor();
  // The text may come from the last state; the pools of this one would open a dialog.
  await click(button)(scene);
  switchboard.swallow(null);
  return page;
}

async function addPool(scene: Scene): Promise<Page> {
  const { data } = scene.operator;
  for (const pool of listAt(await data("GET", "/gred/api/pool", null), "content")) {
    if (textAt(pool, "pool_name").startsWith("pool ")) {
      await data("DELETE", `/gred/api/pool/${String(dig(pool, "id"))}`, null);
    }
  }
  const page = await scene.open(PRIZE);
  await page.getByRole("tab", { name: "添加奖池" }).click();
  await page.getByRole("tab", { name: "pool 1" }).waitFor();
  return page;
}

/** A failed record of this state only, with the question whether to re-issue it. */
async function askToReissue(scene: Scene): Promise<{ page: Page; log_id: number }> {
  const { user_name, log_id } = await scene.failedRecord();
  const page = await scene.open(`/activity_manage/distribution?user_name=${user_name}`);
  await click("补发 ")(scene);
  await page.getByRole("dialog").waitFor();
  return { page, log_id };
}

async function signIn(scene: Scene, route: string, landing: RegExp): Promise<Page> {
  const name = scene.fresh("fact-login-");
  const { password, seed } = await scene.stage.operator(name);
  const page = await scene.visit(route);
  await enterPassword(`  ${name} `, password)({ ...scene, page });
  // Binding used the current code; the next one is accepted a step early.
  const code = codeOf(seed, stepAt(Date.now()) + 1);
  await page.getByRole("dialog").getByRole("textbox").fill(code);
  await page.waitForURL(landing);
  scene.ids.signed_in = name;
  return page;
}

/** Rows, not their placeholders: a call still under way would be refused with the next token. */
async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole("button", { name: "编辑" }).first().waitFor();
}

/** The list with an invalid token from the next call on. */
async function withoutSession(scene: Scene, token = "garbage"): Promise<Page> {
  const page = await scene.open(LIST);
  await untilLoaded(page);
  await scene.holdToken(token);
  return page;
}

/** By screen and state. */
export const OWN: Readonly<Record<string, Make>> = {
  "activities, deletion asked": askToDeleteRound,
  "activities, deleted": async (scene) => {
    const page = await askToDeleteRound(scene);
    await agree(scene);
    return page;
  },
  "activities, switched off": (scene) => switched(scene, true),
  "activities, switched on": (scene) => switched(scene, false),
  "activities, switch refused": async (scene) => {
    const { id, name, route } = await freshRound(scene);
    const page = await scene.open(route);
    const row = page.getByRole("row").filter({ hasText: name });
    await row.waitFor();
    await scene.operator.data("POST", "/red/act/delete", { id });
    await row.getByRole("switch").click();
    return page;
  },
  "activity editor, edited": async (scene) => {
    const { id } = await freshRound(scene);
    const page = await scene.open(`${LIST}?edit=${id}`);
    await enter({ 活动名称: scene.fresh("改名活动") })(scene);
    await save(scene);
    return page;
  },
  ...Object.fromEntries(
    PRESET_LABELS.map((name) => [
      `activity editor, preset ${name}`,
      (scene: Scene) => choosePreset(scene, name),
    ]),
  ),
  "prizes, no pool": (scene) => withoutPools(scene, "新增奖品"),
  "prizes, no pool, import": (scene) => withoutPools(scene, "批量导入"),
  "prizes, on the entry for a new pool": async (scene) => {
    const page = await scene.open(`${PRIZE}?pool=-1`);
    await page.getByRole("tab", { name: "事实池" }).waitFor();
    await click("新增奖品")(scene);
    return page;
  },
  "prizes, pool added": addPool,
  "prizes, deletion asked": askToDeletePrize,
  "prizes, deleted": async (scene) => {
    const page = await askToDeletePrize(scene);
    await agree(scene);
    return page;
  },
  "records, re-issue asked": async (scene) => (await askToReissue(scene)).page,
  "records, re-issued": async (scene) => {
    const { page } = await askToReissue(scene);
    await agree(scene);
    return page;
  },
  "records, re-issue refused": async (scene) => {
    const { page, log_id } = await askToReissue(scene);
    await scene.payOnce(log_id);
    await agree(scene);
    return page;
  },
  "error pages, no permission, back chosen": async (scene) => {
    const page = await scene.open(PRIZE);
    await page.getByRole("table").waitFor();
    await page.goto(page.url().replace(/\/activity_manage.*/, "/401"));
    await click("返回")(scene);
    await page.waitForURL(/prize/);
    return page;
  },
  "shell, logged out": async (scene) => {
    // The account is the test's own: its session ends here.
    const { token } = await scene.stage.operator(scene.fresh("fact-leaver-"));
    const page = await withoutSession(scene, token);
    await page.reload();
    await page.getByRole("button", { name: "fact-leaver" }).click();
    await page.getByRole("menuitem", { name: "退出登录" }).click();
    await page.waitForURL(/login/);
    return page;
  },
  "login, signed in": (scene) => signIn(scene, "/login", /activity_manage/),
  "login, signed in where a page was asked for": (scene) =>
    signIn(scene, `${PRIZE}?pool=-1`, /prize/),
  "guard, token that is none": async (scene) => {
    const page = await scene.visit("/login");
    const { hostname } = new URL(page.url());
    const cookie = { name: "Admin-Token", value: "garbage", domain: hostname, path: "/" };
    await page.context().addCookies([cookie]);
    await page.goto(page.url().replace("/login", PRIZE));
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  },
  "guard, session unknown": async (scene) => {
    const { operator, token } = await scene.stage.operator(scene.fresh("fact-ended-"));
    const page = await withoutSession(scene, token);
    await operator.data("POST", "/gred/api/logout", {});
    await click("查询")(scene);
    await page.waitForURL(/login/);
    return page;
  },
  "guard, session ended by somebody else": async (scene) => {
    const page = await withoutSession(scene);
    await click("查询")(scene);
    return page;
  },
  "guard, re-login chosen": async (scene) => {
    const page = await scene.open(PRIZE);
    await untilLoaded(page);
    await scene.holdToken("garbage");
    // A poll of the page may be refused first: what asks then covers the button.
    await page.getByLabel("刷新", { exact: true }).dispatchEvent("click");
    const again = page.getByRole("button", { name: "Re-Login" });
    await again.waitFor();
    // The page reloads while the click is still being reported.
    await again.dispatchEvent("click");
    await page.waitForURL(/login/);
    return page;
  },
  "guard, helper window closed": async (scene) => {
    const page = await scene.visit("/login");
    const opening = page.waitForEvent("popup");
    await page.evaluate('void window.open("/red/auth-redirect?code=fact&state=1")');
    const helper = await opening;
    if (!helper.isClosed()) {
      await helper.waitForEvent("close");
    }
    return page;
  },
};
