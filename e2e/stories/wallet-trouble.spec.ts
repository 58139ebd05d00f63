import { expect } from "@playwright/test";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

const PLAYERS = ["down-1", "down-2", "down-3"];

test("a wallet in trouble is on every page within half a minute, and gone when it is well", async ({
  page,
  stage,
}) => {
  test.setTimeout(180_000);
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "停摆", 100);
  await stage.platform.register(...PLAYERS);
  // Filtered by name: rounds of other stories may fill the first page.
  const search = `rounds_name=${encodeURIComponent("停摆")}`;
  await openConsole(page, stage, token, `/activity_manage/config?${search}`);
  const banner = page.getByRole("complementary", { name: "系统提示" });
  const trouble = banner.getByRole("status");
  await expect(page.getByRole("row", { name: /停摆/ })).toBeVisible({ timeout: 30_000 });
  await expect(trouble).toBeHidden();

  // It takes the money but answers nothing readable, also to queries.
  await stage.wallet.control("pay_then_500", { on: "both" });
  for (const player of PLAYERS) {
    await stage.platform.draw(askFor(rounds_id, player));
  }
  await expect(trouble).toContainText("起无有效答复。", { timeout: 30_000 });
  await expect(banner).toContainText("最近一次：status 500。");
  await expect(banner).toContainText("等待发放 3 笔，合计 3.00。");
  await expect(banner).toContainText(/自 \d\d:\d\d:\d\d 起/);
  await expect(banner).toContainText(/下次尝试：\d\d:\d\d:\d\d。|正在尝试。/);
  await page.goto(
    `${stage.switchboard.base}/red/activity_manage/distribution?rounds_id=${rounds_id}`,
  );
  const row = page.getByRole("row", { name: /down-1/ });
  // Every few seconds the wallet is asked about it, and the state is "sending" meanwhile.
  await expect(row).toContainText(/结果待确认|发送中/, { timeout: 30_000 });
  await expect(trouble).toBeVisible();
  expect((await operator.records(rounds_id)).map((record) => record.award_status)).toEqual([
    0, 0, 0,
  ]);

  await stage.wallet.control("pay");
  await expect(trouble).toBeHidden({ timeout: 30_000 });
  const paid = ["paid", "paid", "paid"];
  await expect.poll(() => operator.states(rounds_id), { timeout: 60_000 }).toEqual(paid);
});
