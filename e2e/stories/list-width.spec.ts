/** Ordinary data: every list fits a window of 1440 px, in both languages, and no account is broken. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { GOODS, makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** As long as ordinary ones are: 16 characters. */
const PLAYER = { player_id: "width-1", user_name: "golden_dragon_88" };
const MONEY_ROUND = "周末加场红包雨";
const GOODS_ROUND = "单笔充值抽实物";
/** What a bar at the side takes, which a browser of programs does not show. */
const SCROLL_BAR = 15;

/** A refused payout and a parcel to be sent: what the most can be done with. */
async function fill(stage: Stage, operator: Operator): Promise<readonly string[]> {
  const created_at = new Date().toISOString();
  const { platform, wallet } = stage;
  await platform.call("POST", "/open/v1/deposits", {
    deposits: [
      { ...PLAYER, order_no: "D4ea6ea1c-b91e-456f", amount: "12345.60", channel: 8, client: 3 },
    ].map((deposit) => ({ ...deposit, created_at })),
  });
  await platform.call("POST", "/open/v1/bets", {
    bets: [
      { ...PLAYER, bet_no: "B29bfe046-ab6b-4753", valid_bet_amount: "12345.60", platform: 5234 },
    ].map((bet) => ({ ...bet, created_at })),
  });
  const rounds = [
    await makeOpenRound(operator, MONEY_ROUND, 100),
    await makeOpenRound(operator, GOODS_ROUND, 100, GOODS),
  ];
  await wallet.control("refuse", { reason: "daily credit limit reached" });
  for (const round of rounds) {
    await platform.draw(askFor(round, PLAYER.player_id));
  }
  const states = async () => {
    const path = `/gred/api/record/list?user_name=${PLAYER.user_name}`;
    const records = listAt(await operator.data("GET", path, null), "content");
    return records.map((row) => textAt(row, "payout_state"));
  };
  await expect.poll(states).toEqual(["waiting_delivery", "refused"]);
  const { user_name } = PLAYER;
  const pools = listAt(await operator.data("GET", "/gred/api/pool", null), "content");
  const pool = pools.find((one) => textAt(one, "pool_name") === `${MONEY_ROUND}池`);
  const act = await operator.data("GET", `/gred/api/act/${rounds[0]}/edit`, null);
  const asked = new URLSearchParams({
    start_date: textAt(act, "start_time").slice(0, 10),
    rounds_name: MONEY_ROUND,
    achieve_start_time: textAt(act, "achieve_start_time"),
    achieve_end_time: textAt(act, "achieve_end_time"),
    user_name,
  });
  return [
    `distribution?user_name=${user_name}`,
    `config?rounds_name=${encodeURIComponent(MONEY_ROUND)}`,
    `prize?pool=${numberAt(pool, "id")}`,
    `query?${asked.toString()}`,
    `deposit_bet?user_name=${user_name}`,
    `deposit_bet?tab=1&user_name=${user_name}`,
    `add_num?user_name=${user_name}`,
  ];
}

async function expectToFit(page: Page, where: string): Promise<void> {
  const table = page.getByRole("main").getByRole("table").first();
  await expect(table.getByRole("row").nth(1), where).toBeVisible();
  await expect(table, where).toHaveAttribute("aria-busy", "false");
  const beyond = await table
    .locator("..")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect([where, beyond]).toEqual([where, 0]);
  const account = table.getByRole("button", { name: new RegExp(PLAYER.user_name) }).first();
  if (where.startsWith("distribution")) {
    await expect(account).toBeVisible();
    // One line of it.
    expect((await account.boundingBox())?.height).toBeLessThan(30);
  }
}

/* The placeholders in view that are wider than the field they stand in, as measured by their own font. */
const CUT_PLACEHOLDERS = `(() => {
  const widthOf = (input) => {
    const { font, fontVariantNumeric, letterSpacing } = getComputedStyle(input, "::placeholder");
    const probe = document.createElement("span");
    Object.assign(probe.style, { font, fontVariantNumeric, letterSpacing });
    Object.assign(probe.style, { position: "fixed", visibility: "hidden", whiteSpace: "pre" });
    probe.textContent = input.placeholder;
    document.body.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  };
  const roomOf = (input) => {
    const { paddingLeft, paddingRight } = getComputedStyle(input);
    return input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  return [...document.querySelectorAll("main input[placeholder]")]
    .filter((input) => input.checkVisibility() && input.placeholder !== "")
    .map((input) => ({ text: input.placeholder, width: widthOf(input), room: roomOf(input) }))
    .filter(({ width, room }) => width > room + 1)
    .map(({ text, width, room }) => text + ": " + width + " in " + room);
})()`;

test("every list fits 1440 px", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("width");
  const addresses = await fill(stage, operator);
  await page.setViewportSize({ width: 1440 - SCROLL_BAR, height: 900 });
  await openConsole(page, stage, token, "/activity_manage/tag");
  for (const language of ["zh", "en"]) {
    await page.evaluate(`localStorage.setItem("language", "${language}")`);
    for (const address of addresses) {
      await page.goto(`${stage.switchboard.base}/red/activity_manage/${address}`);
      await expectToFit(page, address);
      expect([address, await page.evaluate(CUT_PLACEHOLDERS)]).toEqual([address, []]);
    }
  }
});
