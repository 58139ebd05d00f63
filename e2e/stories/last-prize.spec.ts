import { expect } from "@playwright/test";
import { listAt, textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { GOODS, makeOpenRound } from "./round.ts";
import { openConsole, openPool, test } from "./stage.ts";

const ROUND = "最后一奖";
const POOL = `${ROUND}池`;
const LAST = "电饭煲";

test("the last prize of a running round is deleted with a warning", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, ROUND, 10, { ...GOODS, award_name: LAST });
  await operator.data("POST", "/gred/api/prize", {
    pool_name: POOL,
    ...GOODS,
    weight: 1,
    award_total: 10,
    floors: 0,
  });
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "last-1", user_name: "last01" }],
  });
  const prizes = async () => {
    const path = `/gred/api/prize/list?pool_name=${encodeURIComponent(POOL)}`;
    const rows = listAt(await operator.data("GET", path, null), "content");
    return rows.map((row) => textAt(row, "award_name"));
  };
  const draw = async () => (await stage.platform.draw(askFor(rounds_id, "last-1"))).code;

  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, POOL);
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
  await expect(effect).toContainText(`进行中的活动「${ROUND}」正在使用此奖池，删除后`);
  await answer("确定");
  await expect(rowOf(GOODS.award_name)).toBeHidden();
  expect(await prizes()).toEqual([LAST]);

  await remove(LAST);
  const warning = `最后一个可抽奖品，删除后进行中的活动「${ROUND}」将无奖可抽`;
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
