import { expect } from "@playwright/test";
import { askFor } from "../../outside/platform.ts";
import { codeOf, stepAt, wrongCode } from "../../outside/totp.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, openPool, test } from "../stage.ts";

const PLAYER = "stop-1";

test("two clicks stop every draw and payout, a code starts them", async ({ page, stage }) => {
  const { operator, token, seed } = await stage.operator("stopper");
  const rounds_id = await makeOpenRound(operator, "急停", 100);
  await stage.platform.register(PLAYER);
  await stage.wallet.control("refuse");
  await stage.platform.draw(askFor(rounds_id, PLAYER));
  const unpaid = async () => (await operator.records(rounds_id))[0];
  const state = async () => (await unpaid())?.payout_state;
  await expect.poll(state).toBe("refused");
  await stage.wallet.control("pay");
  await openConsole(page, stage, token, "/activity_manage/config");
  await expect(page.getByRole("switch", { name: "急停 开关" })).toBeChecked();
  await page.getByRole("button", { name: "全部暂停", exact: true }).click();
  const stopping = page.getByRole("dialog", { name: "全部暂停？" });
  await stopping.getByRole("button", { name: "全部暂停" }).click();
  const rows = page.getByRole("table", { name: "活动列表" }).getByRole("row");
  await expect(rows.filter({ hasText: "急停池" })).toContainText("全部抽奖已暂停");
  const ask = askFor(rounds_id, PLAYER);
  expect((await stage.platform.draw(ask)).code).toBe("draws_stopped");

  await page.goto(`${stage.switchboard.base}/red/activity_manage/distribution`);
  const banner = page.getByRole("complementary", { name: "系统提示" });
  await expect(banner).toContainText("抽奖和发放已全部暂停");
  await expect(banner).toContainText("由 stopper 暂停");
  const log_ids = [(await unpaid())?.log_id];
  await operator.data("POST", "/gred/api/record/reissue", { log_ids });
  expect(await state()).toBe("queued");

  await banner.getByRole("button", { name: /^恢复/ }).click();
  const dialog = page.getByRole("dialog", { name: "恢复抽奖和发放" });
  await expect(dialog).toContainText("进行中且未暂停的活动可以立即抽奖。");
  await expect(dialog).toContainText("队列中的发放在恢复后立即继续。");
  await dialog.getByLabel("动态验证码").fill(wrongCode(seed, Date.now()));
  await expect(dialog.getByText("动态验证码错误")).toBeVisible();
  expect([await state(), await operator.stops()]).toEqual(["queued", ["draws", "payouts"]]);
  expect(await stage.wallet.creditsOf(PLAYER)).toEqual([]);
  await dialog.getByLabel("动态验证码").fill(codeOf(seed, stepAt(Date.now()) + 1));
  await expect(page.getByText("已恢复")).toBeVisible();
  await expect(banner).toBeHidden();
  expect(await operator.stops()).toEqual([]);
  await expect.poll(state).toBe("paid");
  expect(await stage.wallet.creditsOf(PLAYER)).toHaveLength(1);
  expect((await stage.platform.draw(ask)).status).toBe(201);
});

test("no dialog opens by itself when a stop ends, whoever ends it", async ({ page, stage }) => {
  const { token, seed } = await stage.operator("stops-twice");
  const colleague = await stage.operator("starts-again");
  await openConsole(page, stage, token, "/activity_manage/deposit_bet");
  const start = async (in_page: boolean) => {
    if (in_page) {
      await page.getByRole("button", { name: "恢复运行" }).click();
      await page.getByLabel("动态验证码").fill(codeOf(seed, stepAt(Date.now()) + 1));
      await expect(page.getByText("已恢复")).toBeVisible();
    } else {
      const code = codeOf(colleague.seed, stepAt(Date.now()) + 1);
      await colleague.operator.data("PUT", "/gred/api/stop/everything/start", null, code);
    }
  };
  for (const in_page of [true, false]) {
    await page.getByRole("button", { name: "全部暂停", exact: true }).click();
    const asked = page.getByRole("dialog", { name: "全部暂停？" });
    await asked.getByRole("button", { name: "全部暂停" }).click();
    await expect(page.getByRole("button", { name: "恢复运行" })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await start(in_page);
    // The stops are asked for every 15 s.
    const button = page.getByRole("button", { name: "全部暂停", exact: true });
    await expect(button).toBeVisible({ timeout: 20_000 });
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});

test("one click stops one pool, another operator starts it", async ({ page, stage }) => {
  const { operator } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "停池", 100);
  const other = await makeOpenRound(operator, "别池", 100);
  await stage.platform.register("pool-stop");
  const draw = async (round: number) =>
    (await stage.platform.draw(askFor(round, "pool-stop"))).code ?? "drawn";

  const { token, seed } = await stage.operator("pool-starter");
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, "停池池");
  const toggle = page.getByRole("switch", { name: "奖池「停池池」的抽奖开关" });
  await toggle.click();
  await expect(toggle).not.toBeChecked();
  await expect(page.getByText("奖池「停池池」的抽奖已暂停")).toBeVisible();
  expect([await draw(rounds_id), await draw(other)]).toEqual(["draws_stopped", "drawn"]);
  await toggle.click();
  const dialog = page.getByRole("dialog", { name: "恢复奖池的抽奖" });
  await expect(dialog).toContainText("使用奖池「停池池」、进行中且未暂停的活动可以立即抽奖。");
  await dialog.getByLabel("动态验证码").fill(codeOf(seed, stepAt(Date.now()) + 1));
  await expect(toggle).toBeChecked();
  expect(await draw(rounds_id)).toBe("drawn");
});
