/** The effect that a prize's form shows before saving is what the list, and the system, show afterwards. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import { listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { type } from "./form.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, openPool, test } from "./stage.ts";

const ROUND = "改前改后";
const POOL = `${ROUND}池`;
const NAME = "5.00元红包";

/** The figure beside this label. */
function figure(within: Locator, word: string): Locator {
  return within.locator("dl > div", { hasText: word }).getByRole("definition");
}

/** Odds of the prize and largest cost of the pool, computed from the system's answers. */
async function known(operator: Operator): Promise<{ odds: string; largest: string }> {
  const path = `/gred/api/prize/list?pool_name=${encodeURIComponent(POOL)}`;
  const prizes = listAt(await operator.data("GET", path, null), "content").map((prize) => ({
    isOwn: textAt(prize, "award_name") === NAME,
    weight: numberAt(prize, "weight"),
    cost: numberAt(prize, "remaining") * Number(textAt(prize, "award_price")),
  }));
  const weightOf = (some: typeof prizes) => some.reduce((sum, { weight }) => sum + weight, 0);
  const share = weightOf(prizes.filter(({ isOwn }) => isOwn)) / weightOf(prizes);
  const largest = prizes.reduce((sum, { cost }) => sum + cost, 0);
  return { odds: `${(share * 100).toFixed(2)}%`, largest: largest.toFixed(2) };
}

test("odds and largest cost before a prize is saved, and after", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, ROUND, 10);
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "effect-1", user_name: "effect01" }],
  });
  // Drawn prizes cost no more: a calculation from totals would be too high.
  await stage.wallet.control("pay");
  await stage.platform.draw(askFor(rounds_id, "effect-1"));
  const paid = async () => (await operator.records(rounds_id)).map((one) => one.payout_state);
  await expect.poll(paid, { timeout: 60_000 }).toEqual(["paid"]);
  await operator.data("POST", "/gred/api/prize", {
    pool_name: POOL,
    award_name: NAME,
    award_price: "5.00",
    weight: 3,
    award_total: 4,
    floors: 0,
  });
  expect(await known(operator)).toEqual({ odds: "75.00%", largest: "29.00" });

  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, POOL);
  const row = page.getByRole("row", { name: new RegExp(NAME) });
  const largest = page.getByLabel("奖池合计").locator("div", { hasText: "剩余最大支出" });
  await expect(row).toContainText("75.00%");
  await expect(largest.getByRole("definition")).toHaveText("29.00");

  await page.getByRole("button", { name: `编辑 ${NAME}` }).click();
  const dialog = page.getByRole("dialog", { name: "编辑奖品" });
  const effect = dialog.getByRole("region", { name: "保存后的变化" });
  const shows = async (odds: string, cost: string) => {
    await expect(figure(effect, "本奖品中奖率")).toHaveText(odds);
    await expect(figure(effect, "奖池剩余最大支出")).toHaveText(cost);
  };
  const enter = (field: string, text: string) => type(page, dialog.getByLabel(field), text);
  await expect(effect).toContainText(`「${ROUND}」正在使用此奖池`);
  await shows("75.00%", "29.00");
  await enter("权重", "1");
  await enter("奖品总数", "6");
  await enter("奖品额度", "2.50");
  await shows("75.00% → 50.00%", "29.00 → 24.00");
  // Nothing changes before saving.
  expect(await known(operator)).toEqual({ odds: "75.00%", largest: "29.00" });

  await dialog.getByRole("button", { name: "保存并立即生效" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("50.00%");
  await expect(largest.getByRole("definition")).toHaveText("24.00");
  expect(await known(operator)).toEqual({ odds: "50.00%", largest: "24.00" });

  await page.getByRole("button", { name: `补库存 ${NAME}` }).click();
  const stock = page.getByRole("dialog", { name: "补库存" });
  const added = stock.getByRole("region", { name: "保存后的变化" });
  await expect(added).toContainText(`「${ROUND}」正在使用此奖池`);
  await type(page, stock.getByLabel("增加数量"), "14");
  await expect(figure(added, "本奖品总数")).toHaveText("6 → 20");
  await expect(figure(added, "奖池剩余最大支出")).toHaveText("24.00 → 59.00");
  await expect(added).toContainText("剩余最大支出升至原来的 2.4 倍");
  await stock.getByRole("button", { name: "增加库存" }).click();
  await expect(stock).toBeHidden();
  await expect(largest.getByRole("definition")).toHaveText("59.00");
  expect(await known(operator)).toEqual({ odds: "50.00%", largest: "59.00" });
});
