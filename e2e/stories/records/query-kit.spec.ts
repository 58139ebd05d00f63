/** Features of every list: selection over pages and of all matches, with sums. */
import { expect } from "@playwright/test";
import type { Operator } from "../../outside/operator.ts";
import { askFor, inFlight } from "../../outside/platform.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

const PLAYERS = ["kit-1", "kit-2", "kit-3"];
const LIST = "/activity_manage/distribution";

/** Fifteen records of one round that the wallet refused; it pays again afterwards. */
async function makeRefused(stage: Stage, operator: Operator): Promise<number> {
  const rounds_id = await makeOpenRound(operator, "列表", 100);
  await stage.platform.register(...PLAYERS);
  await stage.wallet.control("refuse", { reason: "account frozen" });
  const asks = PLAYERS.flatMap((player_id) =>
    Array.from({ length: 5 }, () => askFor(rounds_id, player_id)),
  );
  await inFlight(asks, 5, (ask) => stage.platform.draw(ask));
  await expect.poll(() => countsOf(operator, rounds_id)).toEqual({ refused: 15 });
  await stage.wallet.control("pay");
  return rounds_id;
}

async function countsOf(operator: Operator, rounds_id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { payout_state } of await operator.records(rounds_id)) {
    counts[payout_state] = (counts[payout_state] ?? 0) + 1;
  }
  return counts;
}

async function credits(stage: Stage): Promise<number> {
  const all = await Promise.all(PLAYERS.map((player) => stage.wallet.creditsOf(player)));
  return all.flat().length;
}

test("rows ticked over pages, then all matching rows, one of which another operator has taken", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeRefused(stage, operator);
  await openConsole(page, stage, token, `${LIST}?rounds_id=${rounds_id}&size=10`);
  await expect(page.getByRole("columnheader", { name: "面额" })).toBeVisible();
  await page.keyboard.press("/");
  await expect(page.getByRole("textbox", { name: "账号" })).toBeFocused();
  await page.getByRole("checkbox", { name: "全选本页" }).check();
  await page.getByRole("button", { name: "第 2 页" }).click();
  const row = page.getByRole("checkbox", { name: /^选择 / });
  await expect(row).toHaveCount(5);
  await row.first().check();
  await row.nth(1).check();
  const bar = page.getByText("已选 12 条，合计 12.00");
  await expect(bar).toBeVisible();
  await expect(page.getByText("其中 10 条在其他页")).toBeVisible();

  const [newest] = await operator.records(rounds_id);
  await operator.data("POST", "/gred/api/record/reissue", { log_ids: [newest?.log_id] });
  await page.getByRole("button", { name: "批量补发" }).click();
  const confirm = page.getByRole("dialog", { name: "confirm reissue?" });
  await expect(confirm).toContainText("可补发 12 条，合计 12.00");
  await confirm.getByRole("button", { name: "确定" }).click();
  const result = page.getByRole("dialog", { name: "处理结果" });
  await expect(result).toContainText("已受理 11 条，合计 11.00，结果见列表；未处理 1 条");
  await expect(result.getByRole("row").last()).toContainText(String(newest?.log_id));
  // The report appears during the closing animation of the question; a click between the two can get lost.
  await expect(async () => {
    if (await result.isVisible()) {
      await result.getByRole("button", { name: "关闭" }).click({ timeout: 3_000 });
    }
    await expect(result).toBeHidden({ timeout: 3_000 });
  }).toPass({ timeout: 20_000 });
  await expect(bar).toBeHidden();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect.poll(() => countsOf(operator, rounds_id)).toEqual({ paid: 12, refused: 3 });
  expect(await credits(stage)).toBe(12);

  await page.keyboard.press("r");
  await expect(page.getByRole("row", { name: /成功/ })).toHaveCount(2);
  await expect(page.getByRole("row", { name: /失败/ })).toHaveCount(3);
  await page.getByRole("checkbox", { name: "全选本页" }).check();
  await page.getByRole("button", { name: "选择全部 15 条" }).click();
  await expect(page.getByText("已选 15 条，合计 15.00")).toBeVisible();
  await page.getByRole("button", { name: "批量关闭" }).click();
  const closing = page.getByRole("dialog", { name: "关闭发放" });
  await expect(closing).toContainText("可关闭 3 条，合计 3.00");
  await expect(closing).toContainText("其余 12 条不会处理（已到账 12）");
  await closing.getByRole("textbox", { name: "关闭原因" }).fill("销户");
  await closing.getByRole("button", { name: "关闭发放" }).click();
  await expect(result).toContainText("成功 3 条，合计 3.00；未处理 12 条");
  expect(await countsOf(operator, rounds_id)).toEqual({ paid: 12, closed: 3 });
});
