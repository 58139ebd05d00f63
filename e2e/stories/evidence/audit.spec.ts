/** Who changed it: an object's own changes, the log while it grows, and the log by who, what, object and time. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { numberAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { pick, type } from "../form.ts";
import { GOODS, makeOpenRound } from "../round.ts";
import { openConsole, openPool, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

const LOG = "/activity_manage/audit";
const list = (page: Page) => page.getByRole("table", { name: "操作日志" });
const line = (page: Page, text: string) => list(page).getByRole("row").filter({ hasText: text });

/** A round whose prize another operator has changed; answers the prize and what that operator can do to it. */
async function changedPrize(stage: Stage, round: string, by: string, weight: number) {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, round, 10, GOODS);
  const pool_name = `${round}池`;
  const other = await stage.operator(by);
  const set = async (next: number) => {
    const [prize] = await other.operator.prizes(pool_name);
    const [id, version] = [numberAt(prize, "id"), numberAt(prize, "version")];
    const body = { pool_name, ...GOODS, award_total: 10, floors: 1, weight: next };
    await other.operator.data("PUT", `/gred/api/prize/${id}`, { ...body, id, version });
    return id;
  };
  const prize = await set(weight);
  return { operator, token, rounds_id, pool_name, prize, set };
}

test("who changed this prize's weight: three clicks, ten seconds", async ({ page, stage }) => {
  const { token, pool_name } = await changedPrize(stage, "谁改的", "weigher", 7);
  await openConsole(page, stage, token, "/activity_manage/tag");
  await expect(page.getByRole("table").first()).toBeVisible();
  const begun = Date.now();
  await page.getByRole("link", { name: "奖品管理", exact: true }).click();
  await openPool(page, pool_name);
  await page.getByRole("button", { name: `变更记录 ${GOODS.award_name}` }).click();
  const dialog = page.getByRole("dialog", { name: /^变更记录：奖品/ });
  const row = dialog.getByRole("row").filter({ hasText: "权重 1 → 7" });
  await expect(row).toContainText("weigher");
  await expect(row).toContainText(shown(Date.now()).slice(0, 10));
  expect(Date.now() - begun).toBeLessThan(10_000);

  // The whole log with the same filter, and its first entry is the newest.
  await dialog.getByRole("link", { name: "在操作日志中查看" }).click();
  await expect(dialog).toBeHidden();
  await expect(list(page).getByRole("row").nth(1)).toContainText("修改奖品");
  await expect(list(page)).toContainText("新增奖品");
});

test("round, pool, record and player say what was done to them", async ({ page, stage }) => {
  const { operator, token, rounds_id, pool_name } = await changedPrize(stage, "各处", "all-of", 3);
  await stage.platform.register("audited-1");
  await stage.platform.draw(askFor(rounds_id, "audited-1"));
  const log_ids = (await operator.records(rounds_id)).map(({ log_id }) => log_id);
  await operator.data("PUT", "/gred/api/record/deliver", { log_ids, note: "单号八八" });
  const expire_time = shown(Date.now() + 3_600_000);
  const grant = { user_name: "audited-1", tag: "weekend", expire_time };
  await operator.data("POST", "/gred/api/extratimes", grant);

  await openConsole(page, stage, token, "/activity_manage/config?rounds_name=各处");
  const dialog = page.getByRole("dialog");
  const shows = async (text: string) => {
    await expect(dialog.getByRole("row").filter({ hasText: text })).toHaveCount(1);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  };
  await page.getByRole("button", { name: "变更记录 各处" }).click();
  await shows("新增活动");

  await page.getByRole("link", { name: "奖品管理", exact: true }).click();
  await openPool(page, pool_name);
  await page.getByRole("button", { name: "更多", exact: true }).click();
  await page.getByRole("menuitem", { name: "变更记录" }).click();
  await shows("修改奖品");

  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  await page
    .getByRole("button", { name: /^展开 / })
    .first()
    .click();
  await page.getByRole("button", { name: /^变更记录 / }).click();
  await shows("单号八八");

  await page.getByRole("button", { name: "查看玩家 audited-1" }).click();
  await dialog.getByRole("tab", { name: "变更记录" }).click();
  await expect(dialog.getByRole("row").filter({ hasText: "次数组别 周末红包" })).toHaveCount(1);
});

test("a change of another session is on the open log within two seconds", async ({
  page,
  stage,
}) => {
  const { token, prize, set } = await changedPrize(stage, "活的", "far-away", 2);
  await openConsole(page, stage, token, `${LOG}?object_type=prize&object_id=${prize}`);
  await expect(line(page, "权重 1 → 2")).toBeVisible();
  for (const weight of [3, 4, 5]) {
    await set(weight);
    await expect(line(page, `权重 ${weight - 1} → ${weight}`)).toBeVisible({ timeout: 2_000 });
  }
});

test("the log by who, what, object and time", async ({ page, stage }) => {
  const { token, prize } = await changedPrize(stage, "查日志", "searched", 9);
  await openConsole(page, stage, token, LOG);
  const filters = page.getByRole("search");
  await filters.getByRole("button", { name: "展开" }).click();
  const field = (name: RegExp | string) => filters.getByRole("textbox", { name });
  await type(page, field("操作人"), "searched");
  await pick(page, filters.getByRole("combobox", { name: "操作", exact: true }), "修改奖品");
  await pick(page, filters.getByRole("combobox", { name: "对象类型" }), "奖品");
  await type(page, field("对象编号"), String(prize));
  await type(page, field(/开始时间$/), shown(Date.now() - 600_000));
  await type(page, field(/结束时间$/), shown(Date.now() + 600_000));
  await filters.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`actor=searched.*object_id=${prize}`));
  // Shared or reloaded, the address finds the same.
  for (const again of [() => page.reload(), () => Promise.resolve()]) {
    await expect(list(page).locator("tbody tr.ant-table-row")).toHaveCount(1);
    await expect(line(page, "权重 1 → 9")).toHaveCount(1);
    await again();
  }
});
