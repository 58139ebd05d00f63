/** Story 3: the wallet refuses, an operator re-issues, the money arrives once. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

async function reissue(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^补发 again01/ }).click();
  const confirm = page.getByRole("dialog");
  await expect(confirm).toContainText("confirm reissue?");
  await confirm.getByRole("button", { name: /确\s?定|补发/ }).click();
  await expect(confirm).toBeHidden();
}

test("refused, re-issued, paid exactly once", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "补发", 100);
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "again-1", user_name: "again01" }],
  });
  await stage.wallet.control("refuse", { reason: "account frozen" });
  const { body } = await stage.platform.draw(askFor(rounds_id, "again-1"));
  const trans_sn = textAt(body, "trans_sn");

  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  const row = page.getByRole("row", { name: /again01/ });
  await expect(async () => {
    await page.getByRole("button", { name: "查询", exact: true }).click();
    await expect(row).toContainText("失败", { timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  await expect(row).toContainText("account frozen");
  expect(await stage.wallet.creditsOf("again-1")).toEqual([]);
  const before = await stage.wallet.payCalls(trans_sn);
  await stage.wallet.control("pay");

  await reissue(page);
  await expect(page.getByText("补发成功")).toBeVisible();
  await expect(async () => {
    await page.getByRole("button", { name: "查询", exact: true }).click();
    await expect(row).toContainText("成功", { timeout: 1_000 });
  }).toPass({ timeout: 15_000 });
  expect(await stage.wallet.payCalls(trans_sn)).toBe(before + 1);
  expect((await stage.wallet.creditsOf("again-1")).map((credit) => credit.trans_sn)).toEqual([
    trans_sn,
  ]);
});
