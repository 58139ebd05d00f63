/** The effect that a prize's form, or its deletion, shows before is what the list, and the system, show afterwards. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import { numberAt, textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { codeOf, stepAt, wrongCode } from "../../outside/totp.ts";
import { type } from "../form.ts";
import { GOODS, MONEY, makeOpenRound, makePrize } from "../round.ts";
import { openConsole, openPool, test } from "../stage.ts";

const ROUND = "改前改后";
const POOL = `${ROUND}池`;
const NAME = "5.00元红包";
/** The round whose last prize is deleted. */
const ENDING = "最后一奖";
const LAST = "电饭煲";

/** The figure beside this label. */
function figure(within: Locator, word: string): Locator {
  return within.locator("dl > div", { hasText: word }).getByRole("definition");
}

test("odds and largest cost before a prize is saved, and after", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, ROUND, 10);
  await stage.platform.register("effect-1");
  // Drawn prizes cost no more: a calculation from totals would be too high.
  await stage.wallet.control("pay");
  await stage.platform.draw(askFor(rounds_id, "effect-1"));
  await expect.poll(() => operator.states(rounds_id), { timeout: 60_000 }).toEqual(["paid"]);
  const other = { award_name: NAME, award_price: "5.00", weight: 3, award_total: 4, floors: 0 };
  await makePrize(operator, POOL, other);

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
  const weights = (await operator.prizes(POOL)).map((prize) => numberAt(prize, "weight"));
  expect(weights).toEqual([1, 3]);

  await dialog.getByRole("button", { name: "保存并立即生效" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("50.00%");
  await expect(largest.getByRole("definition")).toHaveText("24.00");

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
  await expect(row).toContainText("50.00%");
});

test("the last prize of a running round is deleted with a warning", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, ENDING, 10, { ...GOODS, award_name: LAST });
  await makePrize(operator, `${ENDING}池`, { ...GOODS, floors: 0 });
  await stage.platform.register("last-1");
  const prizes = async () =>
    (await operator.prizes(`${ENDING}池`)).map((row) => textAt(row, "award_name"));
  const draw = async () => (await stage.platform.draw(askFor(rounds_id, "last-1"))).code;

  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, `${ENDING}池`);
  const table = page.getByRole("table", { name: "奖品列表" });
  const rowOf = (name: string) => table.getByRole("row").filter({ hasText: name });
  const question = page.getByRole("dialog").filter({ hasText: "confirm delete?" });
  const remove = (name: string) => page.getByRole("button", { name: `删除 ${name}` }).click();
  const answer = async (button: string) => {
    await question.getByRole("button", { name: button }).click();
    await expect(question).toBeHidden();
  };

  await remove(GOODS.award_name);
  await expect(question).toContainText(`奖品「${GOODS.award_name}」将不能再被抽中`);
  await expect(question).not.toContainText("最后一个可抽奖品");
  // The rest of the pool: only the other prize, and no guaranteed one.
  const effect = question.getByRole("region", { name: "删除后的变化" });
  await expect(effect).toContainText(/「电饭煲」中奖率\d+\.\d\d% → 100\.00%/);
  await expect(effect).toContainText(`进行中的活动「${ENDING}」正在使用此奖池，删除后`);
  await answer("确定");
  await expect(rowOf(GOODS.award_name)).toBeHidden();
  expect(await prizes()).toEqual([LAST]);

  await remove(LAST);
  const warning = `最后一个可抽奖品，删除后进行中的活动「${ENDING}」将无奖可抽`;
  await expect(question).toContainText(warning);
  await answer("取消");
  await expect(rowOf(LAST)).toBeVisible();
  expect(await prizes()).toEqual([LAST]);
  expect(await draw()).toBeNull();

  await remove(LAST);
  await expect(question).toContainText(warning);
  await answer("确定");
  await expect(rowOf(LAST)).toBeHidden();
  await expect(page.getByText("奖池已没有可抽的奖品，1 个进行中的活动无奖可抽")).toBeVisible();
  expect(await prizes()).toEqual([]);
  expect(await draw()).toBe("sold_out");
});

test("a weight 100 → 100000 on a running pool needs a code, and is undone by a former version", async ({
  page,
  stage,
}) => {
  const { operator, token, seed } = await stage.operator("guarded");
  const small = { ...MONEY, weight: 99_900 };
  await makeOpenRound(operator, "看守", 100_000, small);
  const big = { award_name: "大奖", award_price: "888.00", award_total: 500, floors: 0 };
  await makePrize(operator, "看守池", { ...big, weight: 100 });
  const weights = async () =>
    (await operator.prizes("看守池")).map((prize) => numberAt(prize, "weight"));

  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, "看守池");
  await page.getByRole("button", { name: "编辑 大奖" }).click();
  const form = page.getByRole("dialog", { name: "编辑奖品" });
  await type(page, form.getByLabel("权重"), "100000");
  const save = form.getByRole("button", { name: "保存并立即生效" });
  await save.click();
  const question = page.getByRole("dialog", { name: "确认大额变动" });
  await expect(figure(question, "单抽期望成本")).toHaveText("1.89 → 444.72");
  // As large as the button.
  const [shown, button] = [question.getByText(/^到结束最多多支出约/), page.getByText("确认修改")];
  const heights = await Promise.all([shown, button].map((one) => one.boundingBox()));
  expect(heights[0]?.height).toBeGreaterThanOrEqual(heights[1]?.height ?? Infinity);
  await question.getByRole("button", { name: "取消" }).click();
  await expect(question).toBeHidden();
  await expect(form.getByLabel("权重")).toHaveValue("100000");
  await expect(form.getByRole("alert")).toHaveCount(0);
  expect(await weights()).toEqual([99_900, 100]);

  await save.click();
  const code = question.getByLabel("动态验证码");
  await code.fill(wrongCode(seed, Date.now()));
  await expect(question.getByText("动态验证码错误")).toBeVisible();
  expect(await weights()).toEqual([99_900, 100]);
  await code.fill(codeOf(seed, stepAt(Date.now()) + 1));
  await expect(form).toBeHidden();
  expect(await weights()).toEqual([99_900, 100_000]);

  // Back after a question; what costs less wants no code.
  await page.getByRole("button", { name: "历史版本" }).click();
  await page.getByRole("button", { name: "恢复到此版本" }).first().click();
  await page.getByRole("button", { name: "恢复", exact: true }).click();
  await expect(page.getByText(/^已恢复到版本/)).toBeVisible();
  expect(await weights()).toEqual([99_900, 100]);

  await page.getByRole("link", { name: "设置", exact: true }).click();
  const sum = page.getByLabel("大额变动金额");
  await sum.fill("很多");
  await sum.press("Enter");
  await expect(sum).toHaveAccessibleDescription("设置值无效，应如 off, 10000.00");
  await sum.fill("¥9,000元");
  await sum.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "保存" }).click();
  const changed = "默认 10,000.00 · 10,000.00 → 9,000.00 · guarded 于";
  await expect(page.getByText(changed)).toBeVisible();
  expect((await stage.redctl("config set guard_sum 10000.00")).code).toBe(0);
});
