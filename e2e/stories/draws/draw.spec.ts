/** Story 2: pool, prize, round from a preset; a player draws; the screen shows the paid record. */
import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { numberAt, textAt } from "../../outside/json.ts";
import { type } from "../form.ts";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

async function makePool(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "添加奖池" }).click();
  await expect(page.getByRole("tab", { name: "pool 1" })).toBeVisible();
  await page.getByRole("button", { name: "新增奖品" }).first().click();
  const dialog = page.getByRole("dialog");
  const field = (name: string) =>
    dialog.getByRole("textbox", { name: new RegExp(`^(\\* )?${name}$`) });
  await field("奖品").fill("8.88元红包");
  await field("权重").fill("100");
  await field("奖品总数").fill("50");
  await field("奖品额度").fill("8.88");
  await dialog.getByRole("radio", { name: "是" }).check();
  await dialog.getByRole("button", { name: "保存", exact: true }).click();
  await expect(page.getByText("添加成功")).toBeVisible();
  await expect(page.getByRole("row", { name: /8\.88元红包/ })).toBeVisible();
}

async function makeRound(page: Page): Promise<void> {
  await page.getByRole("button", { name: "新增活动" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "活动名称" }).fill("周末红包A");
  await dialog.getByRole("combobox", { name: "奖池" }).click();
  await page.getByTitle(/^pool 1/).click();
  await dialog.getByRole("radio", { name: /^累计有效存款每满/ }).press("Space");
  await dialog.getByRole("combobox", { name: "流水倍数" }).click();
  await page.getByTitle("3 倍").click();
  const today = shown(Date.now()).slice(0, 10);
  for (const span of ["条件", "活动"]) {
    await type(page, dialog.getByLabel(`${span}开始时间`), `${today} 00:00:00`);
    await type(page, dialog.getByLabel(`${span}结束时间`), `${today} 23:59:59`);
  }
  await expect(dialog.getByText(/每满 120/).first()).toBeVisible();
  await dialog.getByRole("button", { name: /^保存/ }).click();
  await expect(page.getByText("添加成功")).toBeVisible();
  await expect(page.getByRole("row", { name: /周末红包A/ })).toBeVisible();
}

/** The player deposits 250 and draws. */
async function draw(stage: Stage, rounds_id: number): Promise<unknown> {
  const created_at = new Date().toISOString();
  const player = { player_id: "p1", user_name: "player01" };
  const deposit = { order_no: randomUUID(), ...player, amount: "250.00", channel: 3, client: 2 };
  await stage.platform.call("POST", "/open/v1/deposits", {
    deposits: [{ ...deposit, created_at }],
  });
  const asked = { request_id: randomUUID(), rounds_id, player_id: "p1" };
  return (await stage.platform.draw(asked)).body;
}

/** The end of the story: a success in the list, and one credit of that amount in the wallet. */
async function seeSuccess(page: Page, stage: Stage, trans_sn: string): Promise<void> {
  const row = page.getByRole("row", { name: /player01/ });
  await expect(async () => {
    await page.getByRole("button", { name: "查询", exact: true }).click();
    await expect(row).toContainText("8.88元红包", { timeout: 1_000 });
    await expect(row).toContainText("成功", { timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  expect(await stage.wallet.creditsOf("p1")).toEqual([
    { trans_sn, amount: "8.88", player_id: "p1" },
  ]);
}

test("pool, preset, signed draw, success on the screen", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/prize");
  await makePool(page);
  await page.getByRole("link", { name: "活动管理", exact: true }).click();
  await makeRound(page);
  const name = encodeURIComponent("周末红包A");
  const list = await operator.data("GET", `/gred/api/act/list?rounds_name=${name}`, null);
  const rounds_id = numberAt(list, "content", 0, "id");
  await page.getByRole("link", { name: "发放记录" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "发放记录" })).toBeVisible();

  const drawn = await draw(stage, rounds_id);
  await seeSuccess(page, stage, textAt(drawn, "trans_sn"));
});
