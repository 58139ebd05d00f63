/** Support answers about a player on any page: why no draw, why this number, where the money is. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import type { Operator } from "../../outside/operator.ts";
import { askFor } from "../../outside/platform.ts";
import { authenticatorOf, stepAt } from "../../outside/totp.ts";
import { makeOpenRound, MONEY } from "../round.ts";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

const HOUR = 3_600_000;

interface Player {
  readonly player_id: string;
  readonly user_name: string;
}

function playerOf(user_name: string): Player {
  return { player_id: `${user_name}-id`, user_name };
}

const ASKER = playerOf("view-asker");
const FROZEN = playerOf("view-frozen");
const BLOCKED = playerOf("view-blocked");

function deposit(player: Player, order_no: string, amount: string, hours: number) {
  const created_at = new Date(Date.now() - hours * HOUR).toISOString();
  return { ...player, order_no, amount, channel: 1, client: 1, created_at };
}

/** One draw for every full 120 deposited within two hours of now. */
async function makeRound(operator: Operator): Promise<number> {
  return await makeOpenRound(operator, "客服", 100, MONEY, {
    rounds_name: "客服红包",
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value: "120",
    condition_times: 1,
    achieve_start_time: shown(Date.now() - 2 * HOUR),
    achieve_end_time: shown(Date.now() + 2 * HOUR),
  });
}

async function stateOf(operator: Operator, rounds_id: number, { player_id }: Player) {
  const records = await operator.records(rounds_id);
  return records.find((row) => row.player_id === player_id)?.payout_state;
}

/** One deposit before the window, one that counts, one reversed; a draw whose payout is unknown. */
async function makeTrouble(stage: Stage, operator: Operator, rounds_id: number): Promise<void> {
  const { platform, wallet } = stage;
  const reversed = deposit(ASKER, "view-back", "130.00", 0.5);
  await platform.call("POST", "/open/v1/players", {
    players: [ASKER, FROZEN, { ...BLOCKED, blocked: true }],
  });
  await platform.call("POST", "/open/v1/deposits", {
    deposits: [
      deposit(ASKER, "view-early", "500.00", 3),
      deposit(ASKER, "view-good", "250.00", 1),
      reversed,
      deposit(FROZEN, "view-frozen-1", "120.00", 1),
      deposit(BLOCKED, "view-blocked-1", "120.00", 1),
    ],
  });
  const { order_no, created_at } = reversed;
  await platform.call("POST", "/open/v1/deposits/reversals", {
    reversals: [{ order_no, created_at, reason: "chargeback" }],
  });
  await wallet.control("error_500");
  await platform.draw(askFor(rounds_id, ASKER.player_id));
  await expect.poll(() => stateOf(operator, rounds_id, ASKER)).toBe("unknown");
  await wallet.control("refuse", { reason: "account frozen" });
  await platform.draw(askFor(rounds_id, FROZEN.player_id));
  await expect.poll(() => stateOf(operator, rounds_id, FROZEN)).toBe("refused");
  await wallet.control("pay");
}

function drawerOf(page: Page, player: Player) {
  return page.getByRole("dialog", { name: `玩家 ${player.user_name}` });
}

/** Finds a player in the search of the top bar, by keyboard alone. */
async function find(page: Page, text: string) {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "查找", exact: true })).toBeFocused();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("a player's draws and money are explained from any page", async ({ page, stage }) => {
  const { operator, token, seed } = await stage.operator("view-support");
  const authenticator = authenticatorOf(seed, stepAt(Date.now()));
  const rounds_id = await makeRound(operator);
  await makeTrouble(stage, operator, rounds_id);
  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);

  // First click: why only one draw is left, and where the money is.
  await page.getByRole("button", { name: "查看玩家 view-asker" }).click();
  const asker = drawerOf(page, ASKER);
  const why = asker.getByRole("region", { name: "能不能抽奖" });
  await expect(why).toContainText(
    "可以抽奖：还剩 1 次（共 2 次，已抽 1 次）；存款再有 110.00 可得 1 次。",
  );
  // The system asks the wallet now and then; at that moment the payout is on its way again.
  await expect(asker.getByRole("region", { name: "奖金在哪里" })).toContainText(
    /1 笔 1\.00 (?:结果待确认|发送中)，自 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 起。/,
  );
  const told = asker.getByRole("region", { name: "存款怎么算" });
  await expect(told.getByRole("row", { name: /view-good/ })).toContainText(
    "计入250.00+2 次满 240.00",
  );
  await expect(told.getByRole("row", { name: /view-good/ })).toContainText(/存款，.* 到达/);
  await expect(told.getByRole("row", { name: /view-back/ })).toContainText(
    /不计入：.{19} 冲正（chargeback）/,
  );
  await expect(told.getByRole("row", { name: /view-early/ })).toContainText("不计入：早于条件时间");
  await expect(asker.getByLabel("次数构成")).toContainText("总次数2已抽1剩余1");
  const past = shown(Date.now() - 1_000);
  await asker.getByLabel("截至").fill(past);
  await asker.getByLabel("截至").press("Tab");
  await expect(asker).toContainText(
    `以下是系统在 ${past} 所知道的情况；上方的「能不能抽奖」和「奖金在哪里」仍是现在的情况。`,
  );
  await expect(asker.getByLabel("次数构成")).toContainText("总次数2已抽1剩余1");

  // Second click: the payout with its attempts; a reload keeps the place, Back leaves it.
  await asker.getByRole("tab", { name: "发放", exact: true }).click();
  const payout = asker.getByRole("row", { name: /1.00元红包/ });
  await expect(payout).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(payout).toContainText(/自 .{19} 起结果不明/, { timeout: 10_000 });
  }).toPass({ timeout: 60_000 });
  await asker.getByRole("button", { name: /^展开 1.00元红包/ }).click();
  await expect(asker.getByRole("table", { name: "发放过程" })).toContainText("结果不明");
  expect(await stage.wallet.creditsOf("view-asker-id")).toEqual([]);
  await page.goBack();
  await expect(asker).toBeHidden();
  await expect(page.getByRole("heading", { level: 1, name: "发放记录" })).toBeVisible();

  // From the search: that a player is blocked comes first.
  await find(page, "VIEW-BL");
  await expect(drawerOf(page, BLOCKED).getByRole("region", { name: "能不能抽奖" })).toContainText(
    /玩家自 .{19} 起被禁止抽奖；还有 1 次没抽/,
  );
  await page.keyboard.press("Escape");
  await expect(drawerOf(page, BLOCKED)).toBeHidden();

  // By platform id: the refused payout is sent again, and an extra draw is granted.
  await find(page, "view-frozen-id");
  const frozen = drawerOf(page, FROZEN);
  await expect(frozen).toContainText("1 笔 1.00 被拒绝：账户已冻结（account frozen）");
  await frozen.getByRole("tab", { name: "发放", exact: true }).click();
  await frozen
    .getByRole("row", { name: /1.00元红包/ })
    .getByRole("button", { name: /^补发/ })
    .click();
  await page
    .getByRole("dialog", { name: "confirm reissue?" })
    .getByRole("button", { name: "确定" })
    .click();
  await expect(page.getByText("补发成功")).toBeVisible();
  await expect.poll(() => stage.wallet.creditsOf("view-frozen-id")).toHaveLength(1);
  // A tab reads its rows when it opens, and the answers above them too.
  await expect.poll(() => stateOf(operator, rounds_id, FROZEN)).toBe("paid");
  await frozen.getByRole("tab", { name: "抽奖", exact: true }).click();
  await expect(frozen.getByRole("row", { name: /1.00元红包/ })).toContainText("成功");
  await expect(frozen.getByRole("region", { name: "奖金在哪里" })).toContainText(
    /^奖金在哪里1 笔 1\.00 已到账/,
  );
  await frozen.getByRole("button", { name: "加次数" }).click();
  const grant = page.getByRole("dialog", { name: "给 view-frozen 添加额外次数" });
  const expiry = shown(Date.now() + 24 * HOUR);
  await grant.getByLabel("过期时间").fill(expiry);
  await grant.getByLabel("过期时间").press("Tab");
  await expect(grant.getByLabel("过期时间")).toHaveValue(expiry);
  await grant.getByRole("button", { name: "添加 1 次" }).click();
  await expect(page.getByText("added successfully")).toBeVisible();
  await expect(frozen).toContainText("可用额外次数1");
  expect(await operator.leftTimes("view-frozen")).toBe(1);

  // The player is to be forgotten.
  await frozen.getByRole("button", { name: "清除资料" }).click();
  const erase = page.getByRole("dialog", { name: "清除玩家 view-frozen 的资料" });
  await erase.getByLabel(/^输入账号/).fill("view-frozen");
  await erase.getByRole("button", { name: "清除资料" }).click();
  await page.getByLabel("动态验证码").fill(await authenticator.code());
  await expect(page.getByText("已清除玩家资料")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
