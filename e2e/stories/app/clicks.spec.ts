/** The three tasks of every evening take no more clicks and keys than here. The last counts stand in docs/inside.md. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { listAt, numberAt, textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { makeOpenRound, MONEY } from "../round.ts";
import { openConsole, test } from "../stage.ts";

/*
 * Counts presses of the mouse, buttons triggered by keys, and keys. The storage of the tab keeps the counts across
 * pages. The click that a label passes to its field, and Enter that submits a form, do not count.
 */
const COUNTER = `{
  let byKey = false;
  const add = (kept) => sessionStorage.setItem(kept, Number(sessionStorage.getItem(kept)) + 1);
  addEventListener("pointerdown", (event) => {
    byKey = false;
    if (event.isTrusted) add("clicks counted");
  }, true);
  addEventListener("keydown", (event) => {
    byKey = true;
    if (event.isTrusted) add("keys counted");
  }, true);
  addEventListener("click", (event) => {
    const isByKey = byKey && event.detail === 0 && event.target === document.activeElement;
    if (event.isTrusted && isByKey) add("clicks counted");
  }, true);
}`;

async function expectCounts(page: Page, what: string, most: { clicks: number; keys?: number }) {
  const [clicks = 0, keys = 0] = await page.evaluate<number[]>(
    '["clicks counted", "keys counted"].map((kept) => Number(sessionStorage.getItem(kept)))',
  );
  process.stdout.write(`${what}: ${clicks} clicks, ${keys} keys\n`);
  expect(clicks + keys).toBeGreaterThan(0);
  expect(clicks).toBeLessThanOrEqual(most.clicks);
  expect(keys).toBeLessThanOrEqual(most.keys ?? Infinity);
}

/** Prize, amount, weight, total; the last one is guaranteed. */
const PRIZES = [
  ["188", "188", "1", "5"],
  ["88", "88", "5", "10"],
  ["18", "18", "50", "100"],
  ["8", "8", "100", "200"],
  ["cup", "0", "20", "50"],
  ["1", "1", "500", "900"],
] as const;
const LAST = PRIZES.length - 1;

const ENTERED = {
  async typed({ keyboard }: Page) {
    for (const [at, cells] of PRIZES.entries()) {
      for (const [place, cell] of cells.entries()) {
        await keyboard.type(cell);
        await keyboard.press(place < 3 || at === LAST ? "Tab" : "Enter");
      }
    }
    await keyboard.press("Space");
  },
  async pasted(page: Page) {
    const lines = PRIZES.map((cells, at) => [...cells, at === LAST ? "是" : "否"].join("\t"));
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(lines.join("\n"))})`);
    await page.keyboard.press("Control+V");
  },
};

test.beforeEach(({ page }) => page.addInitScript(COUNTER));

for (const [how, most] of [
  ["typed", { clicks: 12, keys: 110 }],
  ["pasted", { clicks: 9 }],
] as const) {
  test(`tonight's round with a new pool of six prizes, ${how}`, async ({ page, stage }) => {
    const { operator, token } = await stage.operator();
    await openConsole(page, stage, token, "/activity_manage/config");
    await page.getByRole("button", { name: "新增活动" }).click();
    const dialog = page.getByRole("dialog", { name: "新增活动" });
    await expect(dialog.getByLabel("活动名称")).toBeFocused();
    await page.keyboard.type(how);
    await dialog.getByRole("button", { name: "新建奖池" }).click();
    const pools = page.getByRole("dialog", { name: "新建奖池" });
    const name = pools.getByLabel("新奖池的名称");
    await expect(name).toBeFocused();
    const pool = await name.inputValue();
    await page.keyboard.press("Enter");
    await ENTERED[how](page);
    await expect(pools.getByText("6 种奖品，权重合计 676")).toBeVisible();
    await pools.getByRole("button", { name: "创建奖池" }).click();
    await expect(pools).toBeHidden();
    await dialog.getByText("累计有效存款每满", { exact: false }).first().click();
    await dialog.getByRole("combobox", { name: "流水倍数" }).click();
    await page.keyboard.type("1");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: /^[今明]晚 20–22/ }).click();
    await dialog.getByRole("button", { name: /^保存/ }).click();
    await expect(dialog).toBeHidden();
    await expectCounts(page, `a round, ${how}`, most);

    const path = `/gred/api/act/list?rounds_name=${how}&page=1&size=9`;
    const round = listAt(await operator.data("GET", path, null), "content")[0];
    expect(textAt(round, "pool_name")).toBe(pool);
    const prizes = await operator.prizes(pool);
    expect(prizes.map((one) => textAt(one, "award_name"))).toEqual(PRIZES.map(([award]) => award));
    expect(prizes.map((one) => numberAt(one, "floors"))).toEqual([0, 0, 0, 0, 0, 1]);
  });
}

test("why a player cannot draw, asked on the list of rounds", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const [today, created_at] = [shown(Date.now()).slice(0, 10), new Date().toISOString()];
  await makeOpenRound(operator, "点击问答", 10, MONEY, {
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value: "120",
    condition_times: 1,
    achieve_start_time: `${today} 00:00:00`,
  });
  const deposit = { order_no: "clicks-1", amount: "100.00", channel: 1, client: 1, created_at };
  const player = { player_id: "clicks-1", user_name: "click_asker" };
  await stage.platform.call("POST", "/open/v1/deposits", { deposits: [{ ...player, ...deposit }] });
  await openConsole(page, stage, token, "/activity_manage/config");
  await expect(page.getByRole("heading", { level: 1, name: "活动管理" })).toBeVisible();
  await page.getByRole("combobox", { name: "查找", exact: true }).click();
  await page.keyboard.type("click_asker");
  await page.locator(".ant-select-item-option").filter({ hasText: "clicks-1" }).click();
  const why = page
    .getByRole("dialog", { name: "玩家 click_asker" })
    .getByRole("region", { name: "能不能抽奖" });
  await expect(why.getByRole("listitem").filter({ hasText: "点击问答" })).toContainText(
    "存款再有 20.00 可得 1 次",
  );
  await expectCounts(page, "why no draw", { clicks: 2 });
});

test("every refused payout of a round is sent again", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "点击补发", 10);
  await stage.platform.register("clicks-2");
  await stage.wallet.control("refuse", { reason: "account frozen" });
  const refused = ["refused", "refused", "refused"];
  for (const _each of refused) {
    await stage.platform.draw(askFor(rounds_id, "clicks-2"));
  }
  await expect.poll(() => operator.states(rounds_id), { timeout: 60_000 }).toEqual(refused);
  await stage.wallet.control("pay");
  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  await page.getByRole("button", { name: /^被拒绝/ }).click();
  await expect(page.getByText("共 3 条", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: "全选本页" }).check();
  await page.getByRole("button", { name: "批量补发" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /确定|补发/ })
    .last()
    .click();
  await expect(page.getByText(/^3 条已重新发送：3 到账/).first()).toBeVisible({ timeout: 30_000 });
  await expectCounts(page, "re-issue", { clicks: 4 });
  expect(await stage.wallet.creditsOf("clicks-2")).toHaveLength(3);
});
