/** Story 7: support looks up a player's deposits; the platform reverses one. */
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { exported } from "../form.ts";
import { openConsole, test } from "../stage.ts";

const PLAYER = { player_id: "payer-1", user_name: "payer01" };

test("deposits and bets, their totals, a reversal, and the file", async ({ page, stage }) => {
  const { token } = await stage.operator();
  const now = new Date();
  const created_at = now.toISOString();
  const deposit = { ...PLAYER, channel: 9, client: 3, created_at };
  const { status } = await stage.platform.call("POST", "/open/v1/deposits", {
    deposits: [
      { ...deposit, order_no: "story-1", amount: "120.50" },
      { ...deposit, order_no: "story-2", amount: "30.00", channel: 1 },
    ],
  });
  expect(status).toBe(200);
  await stage.platform.call("POST", "/open/v1/bets", {
    bets: [
      { ...PLAYER, bet_no: "story-b1", valid_bet_amount: "77.70", platform: 7234, created_at },
    ],
  });

  await openConsole(page, stage, token, "/activity_manage/deposit_bet");
  await page.getByLabel("账号").fill(PLAYER.user_name);
  await page.getByRole("button", { name: "查询", exact: true }).click();
  const totals = page.getByLabel("合计");
  await expect(totals).toContainText("存款总额150.50");
  await expect(page.getByRole("row", { name: /120\.50/ })).toContainText("代理充值");

  await stage.platform.call("POST", "/open/v1/deposits/reversals", {
    reversals: [{ order_no: "story-1", created_at }],
  });
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByRole("row", { name: /120\.50/ })).toContainText("已冲正");
  await expect(totals).toContainText("存款总额30.00");

  await page.getByRole("tab", { name: "投注查询" }).click();
  await expect(totals).toContainText("投注总额77.70");
  await expect(page.getByRole("row", { name: /77\.70/ })).toContainText("捕鱼");
  await page.getByRole("button", { name: "展开", exact: true }).click();
  await page.getByLabel("活动日期").fill(shown(now.getTime()).slice(0, 10));
  await page.getByLabel("活动日期").press("Enter");
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page).toHaveURL(/start_date=/);
  const file = (await exported(page, "导出", "CSV")).toString("utf8");
  expect(file).toContain("77.70");
  expect(file).toContain("story-b1");
});
