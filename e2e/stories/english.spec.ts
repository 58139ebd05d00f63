/** With English chosen, no screen, dialog, label or message shows Chinese, but for what operators wrote. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { dig, numberAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

const HAN = /\p{Script=Han}/u;

/* Everything that is said: texts, and the attributes that are read out or shown. */
const ALL_WORDS = `(() => {
  const words = [document.title];
  const attributes = ["aria-label", "title", "placeholder", "alt", "value"];
  for (const element of document.body.querySelectorAll("*")) {
    words.push(...attributes.map((name) => element.getAttribute(name) ?? ""));
    if (!element.matches("script, style")) {
      const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      words.push(...texts.map((node) => node.data));
    }
  }
  return words;
})()`;

/** The Chinese on the page, without what operators wrote. */
async function chineseOn(page: Page, data: readonly string[]): Promise<string[]> {
  const words: unknown = await page.evaluate(ALL_WORDS);
  const told = [words]
    .flat()
    .map((word) => data.reduce((rest, text) => rest.replaceAll(text, ""), String(word)));
  return [...new Set(told.filter((word) => HAN.test(word)))];
}

/** Screens, dialogs, and what is said when a dialog is saved with nothing in it. */
function placesOf(
  round: number,
  pool: number,
  prize: number,
): readonly (readonly [string, string?])[] {
  const inPool = `/activity_manage/prize?pool=${pool}`;
  return [
    [`/activity_manage/config?new=1`, "Save"],
    [`/activity_manage/config?edit=${round}`],
    [`/activity_manage/config?copy=${round}`],
    [`${inPool}&new=1`, "Save"],
    [`${inPool}&edit=${prize}`],
    [`${inPool}&stock=${prize}`, "Add"],
    [`${inPool}&import=1`],
    [`${inPool}&task=copy`],
    ["/activity_manage/distribution?dialog=draws", "Search"],
    ["/activity_manage/deposit_bet?tab=0&user_name=eng01"],
    ["/activity_manage/deposit_bet?tab=1&user_name=eng01"],
    ["/activity_manage/record?dialog=info", "Search"],
    ["/activity_manage/add_num?user_name=eng01"],
    ["/activity_manage/add_num?grant=1", "Add"],
    ["/activity_manage/tag?new=tag", "Save"],
    ["/activity_manage/tag?new=red_code", "Save"],
    ["/404"],
    ["/401?permission=pool.write"],
  ];
}

test("English is English everywhere", async ({ page, stage }) => {
  test.setTimeout(300_000);
  const { operator, token } = await stage.operator("english-op");
  const round = await makeOpenRound(operator, "英文", 100);
  const player = { player_id: "eng-1", user_name: "eng01" };
  const created_at = new Date().toISOString();
  await stage.platform.call("POST", "/open/v1/deposits", {
    deposits: [{ ...player, order_no: "eng", amount: "9.00", channel: 5, client: 1, created_at }],
  });
  await stage.platform.call("POST", "/open/v1/bets", {
    bets: [{ ...player, bet_no: "eng", valid_bet_amount: "7.00", platform: 1234, created_at }],
  });
  await stage.platform.draw(askFor(round, player.player_id));
  const entries = async (path: string, key: string): Promise<unknown[]> =>
    [dig(await operator.data("GET", path, null), key)].flat();
  const extra = { user_name: "eng01", tag: "weekend", expire_time: "2036-01-01 00:00:00" };
  await operator.data("POST", "/gred/api/extratimes", extra);
  const [prize] = await entries(
    `/gred/api/prize/list?pool_name=${encodeURIComponent("英文池")}`,
    "content",
  );
  const pools = await entries("/gred/api/pool", "content");
  const pool = pools.find((each) => dig(each, "pool_name") === "英文池");
  // What operators wrote, the longest first; and the switch to Chinese names itself in Chinese.
  const tags = Object.values(Object((await entries("/gred/api/extratimes/tags", "tags"))[0]));
  const codes = (await entries("/gred/api/redcode", "content")).map((code) => dig(code, "label"));
  const data = ["1.00元红包", "英文池", "英文", "中文", ...tags, ...codes].map(String);

  await page.addInitScript("localStorage.setItem('language', 'en')");
  await page.goto(`${stage.switchboard.base}/red/login`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Please enter password")).toBeVisible();
  const found: Record<string, string[]> = { login: await chineseOn(page, data) };

  await openConsole(page, stage, token, "/activity_manage/config");
  const links = page.getByRole("navigation", { name: "Main navigation" }).getByRole("link");
  await expect(links.first()).toBeVisible();
  const screens = await links.evaluateAll((all) =>
    all.map((link) => ({ href: link.getAttribute("href") ?? "", name: link.textContent ?? "" })),
  );
  const visit = async (href: string) => await page.evaluate(`history.pushState({}, "", "${href}")`);
  for (const { href, name } of screens) {
    await visit(href);
    await expect(page).toHaveTitle(`${name} - red packet`);
    await page.waitForLoadState("networkidle");
    found[href] = await chineseOn(page, data);
  }
  const dialog = page.getByRole("dialog");
  const places = placesOf(round, numberAt(pool, "id"), numberAt(prize, "id"));
  for (const [route, submit] of places) {
    await visit(`/red${route}`);
    if (/[?&](?:new|edit|copy|stock|import|task|grant|dialog)=/.test(route)) {
      await expect(dialog.getByRole("button").last()).toBeVisible();
    }
    await page.waitForLoadState("networkidle");
    if (submit !== undefined) {
      await dialog.getByRole("button", { name: submit }).last().click();
      await expect(dialog.locator("[aria-invalid=true]").first()).toBeVisible();
    }
    found[route] = await chineseOn(page, data);
  }
  await page.goto(`${stage.switchboard.base}/red/activity_manage/config`);
  await page.getByRole("button", { name: "Display settings" }).click();
  await expect(page.getByRole("dialog", { name: "Display settings" })).toBeVisible();
  found["settings"] = await chineseOn(page, data);
  const chinese = Object.entries(found).filter(([, words]) => words.length > 0);
  expect(Object.fromEntries(chinese)).toEqual({});
  expect(Object.keys(found)).toHaveLength(screens.length + places.length + 2);
  // What looks for Chinese finds it.
  await dialog.getByText("中文", { exact: true }).click();
  await expect.poll(() => chineseOn(page, data)).toContain("活动管理");
});
