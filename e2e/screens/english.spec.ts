/**
 * With data of usual length: in English the only Chinese texts are what operators wrote, and every list fits a window of
 * 1440 px. `npm test` reads the lists, `npm run prove -- english` every place.
 */
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { GOODS, makeOpenRound } from "../stories/round.ts";
import { openConsole, test } from "../stories/stage.ts";
import type { Stage } from "../stories/stage.ts";
import { filled } from "./places/place.ts";
import type { Look, Place } from "./places/place.ts";
import { PLACES } from "./places/places.ts";
import { goOn } from "./visit.ts";
import { NOTHING } from "./longest-data.ts";
import type { Ids } from "./longest-data.ts";

const IS_WHOLE = process.env["PROVE_N"] !== undefined;
const LAYOUT_FAULTS = readFileSync("e2e/screens/layout-faults.mjs", "utf8");
const HAN = /\p{Script=Han}/u;
/** Width of a scroll bar, which a headless browser does not have. */
const SCROLL_BAR = 15;

/** With data only: filled forms, and messages about them. */
const FORMS =
  /-missing$|^(?:activity-edit|activity-copy|prize-edit|prize-stock|prize-import|pool-copy|add-num-account|player-chances)$/;
const IN_ENGLISH = PLACES.filter(({ name, bare }) => bare === true || FORMS.test(name)).filter(
  ({ outside, narrow, name }) => name === "login-missing" || (outside ?? narrow) === undefined,
);
const LISTS = ["distribution", "config", "prize", "query", "deposits", "bets", "add-num-account"];

/* All texts, and the attributes that are read out or shown. */
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

/** Ordinary length: 16 characters. */
const PLAYER = { player_id: "ordinary-1", user_name: "golden_dragon_88" };
const ROUND = "单笔充值抽实物";

/** Texts that operators wrote here, the longest first. */
const WRITTEN = ["周末加场红包雨", ROUND, "1.00元红包", GOODS.award_name] as const;

/** A refused payout and an undelivered prize, since these allow the most actions. */
async function fill(stage: Stage, operator: Operator): Promise<Ids> {
  const { data } = operator;
  const { platform, wallet } = stage;
  const came = { ...PLAYER, created_at: new Date().toISOString() };
  const deposit = { ...came, order_no: "D4ea6ea1c-b91e-456f", amount: "12345.60", channel: 8 };
  await platform.call("POST", "/open/v1/deposits", { deposits: [{ ...deposit, client: 3 }] });
  const bet = { ...came, bet_no: "B29bfe046-ab6b-4753", valid_bet_amount: "12345.60" };
  await platform.call("POST", "/open/v1/bets", { bets: [{ ...bet, platform: 5234 }] });
  const rounds = [
    await makeOpenRound(operator, WRITTEN[0], 100),
    await makeOpenRound(operator, ROUND, 100, GOODS),
  ];
  await wallet.control("refuse", { reason: "daily credit limit reached" });
  for (const one of rounds) {
    await platform.draw(askFor(one, PLAYER.player_id));
  }
  const { user_name } = PLAYER;
  const states = async () => {
    const records = await data("GET", `/gred/api/record/list?user_name=${user_name}`, null);
    return listAt(records, "content").map((row) => textAt(row, "payout_state"));
  };
  await expect.poll(states).toEqual(["waiting_delivery", "refused"]);
  await wallet.control("pay");
  const extra = { user_name, tag: "weekend", expire_time: "2036-01-01 00:00:00" };
  await data("POST", "/gred/api/extratimes", extra);
  const [, round = 0] = rounds;
  const act = await data("GET", `/gred/api/act/${round}/edit`, null);
  const [day, start, end] = ["start_time", "achieve_start_time", "achieve_end_time"].map((name) =>
    textAt(act, name),
  );
  const query = new URLSearchParams({
    start_date: String(day).slice(0, 10),
    rounds_name: ROUND,
    achieve_start_time: String(start),
    achieve_end_time: String(end),
    user_name,
  });
  return {
    ...NOTHING,
    round,
    rounds_name: ROUND,
    pool: await operator.poolId(`${ROUND}池`),
    prize: numberAt(await operator.prizes(`${ROUND}池`), 0, "id"),
    award_name: GOODS.award_name,
    account: user_name,
    query: `?${query.toString()}`,
  };
}

/** Chinese texts on the page that operators did not write. */
async function chineseOn(page: Page, written: readonly string[]): Promise<string[]> {
  const words: unknown = await page.evaluate(ALL_WORDS);
  const told = [words]
    .flat()
    .map((word) => written.reduce((rest, text) => rest.replaceAll(text, ""), String(word)));
  return [...new Set(told.filter((word) => HAN.test(word)))];
}

async function reach(look: Look, place: Place): Promise<void> {
  const { page, stage, ids } = look;
  if (place.outside === true) {
    // A page that was signed in would send itself to the sign-in page at any time.
    await page.goto(`${stage.switchboard.base}/red${filled(place.at, ids)}`);
  } else {
    await goOn(page, filled(place.at, ids));
  }
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await page.waitForLoadState("networkidle");
  await place.open?.(look);
  if (place.above === true) {
    await expect(page.getByRole("dialog").last().getByRole("button").last()).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
}

async function expectToFit(page: Page, name: string, account: string): Promise<void> {
  const table = page.getByRole("main").getByRole("table").first();
  await expect(table.getByRole("row").nth(1), name).toBeVisible();
  await expect(table, name).toHaveAttribute("aria-busy", "false");
  const beyond = await table
    .locator("..")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  const clipped = listAt(await page.evaluate(LAYOUT_FAULTS), "clipped").map((one) =>
    textAt(one, "sentence"),
  );
  const placeholders = clipped.filter((sentence) => sentence.startsWith("placeholder"));
  expect([name, beyond, placeholders]).toEqual([name, 0, []]);
  if (name === "distribution") {
    const found = table.getByRole("button", { name: new RegExp(account) }).first();
    await expect(found).toBeVisible();
    // A single line.
    expect((await found.boundingBox())?.height).toBeLessThan(30);
  }
}

test("English is English everywhere, and every list fits in both languages", async ({
  page,
  stage,
}) => {
  test.setTimeout(300_000);
  const { operator, token } = await stage.operator();
  if (IS_WHOLE) {
    await stage.redctl("webhooks set http://127.0.0.1:9/hooks");
  }
  const ids = await fill(stage, operator);
  const look = { page, stage, token, ids };
  await page.setViewportSize({ width: 1440 - SCROLL_BAR, height: 900 });
  await openConsole(page, stage, token, "/404");
  const lists = PLACES.filter(({ name }) => LISTS.includes(name));
  expect(lists).toHaveLength(LISTS.length);
  for (const place of lists) {
    await reach(look, place);
    await expectToFit(page, place.name, ids.account);
  }
  await page.evaluate('localStorage.setItem("language", "en")');
  await page.reload();

  // The switch to Chinese is labelled in Chinese.
  const tags = dig(await operator.data("GET", "/gred/api/extratimes/tags", null), "tags");
  const codes = [dig(await operator.data("GET", "/gred/api/redcode", null), "content")].flat();
  const labels = [
    ...Object.values(Object([tags].flat()[0])),
    ...codes.map((code) => dig(code, "label")),
  ];
  const written = [...WRITTEN.map((text) => `${text}池`), ...WRITTEN, "中文", ...labels].map(
    String,
  );
  const found: Record<string, string[]> = {};
  for (const place of IS_WHOLE ? IN_ENGLISH : lists) {
    if (place.outside === true) {
      await page.context().clearCookies();
    }
    await reach(look, place);
    if (lists.includes(place)) {
      await expectToFit(page, place.name, ids.account);
    }
    found[place.name] = await chineseOn(page, written);
    if (place.outside === true) {
      await openConsole(page, stage, token, "/404");
      await page.waitForLoadState("networkidle");
    }
  }
  const chinese = Object.entries(found).filter(([, words]) => words.length > 0);
  expect(Object.fromEntries(chinese)).toEqual({});
  expect(Object.keys(found)).toEqual(expect.arrayContaining(LISTS));
  expect(Object.keys(found).length).toBeGreaterThanOrEqual(IS_WHOLE ? 35 : LISTS.length);
  // The search must find Chinese texts.
  await goOn(page, "/activity_manage/config");
  await page.getByRole("button", { name: "Display settings" }).click();
  await page.getByRole("dialog").getByText("中文", { exact: true }).click();
  await expect.poll(() => chineseOn(page, written)).toContain("活动管理");
});
