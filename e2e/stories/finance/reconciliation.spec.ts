/** Finance compares with the wallet, settles a difference with a reason, and reads the round's sheet. */
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { dig, listAt, textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import { sheetFigures } from "../../outside/workbook.ts";
import { exported, type } from "../form.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("compared, a difference settled, the sheet exported", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "对账", 100);
  await stage.platform.register("tie-1");
  await stage.wallet.control("pay");
  const { body } = await stage.platform.draw(askFor(rounds_id, "tie-1"));
  const trans_sn = textAt(body, "trans_sn");
  await expect.poll(() => operator.states(rounds_id)).toEqual(["paid"]);
  const open = async () => {
    const path = `/gred/api/reconciliation/breaks?open=1&rounds_id=${rounds_id}`;
    return listAt(await operator.data("GET", path, null), "content").map((one) => dig(one, "kind"));
  };

  // This round only: the file lacks the draws of other stories.
  const own = `/activity_manage/reconciliation?rounds_id=${rounds_id}`;
  await openConsole(page, stage, token, own);
  const compare = async () => {
    await page.getByRole("button", { name: "与钱包对账" }).click();
    const dialog = page.getByRole("dialog", { name: "与钱包对账" });
    return { dialog, go: () => dialog.getByRole("button", { name: "开始对账" }).click() };
  };
  const called = await compare();
  await called.go();
  await expect(page.getByText(/^对账完成/).first()).toBeVisible();
  expect(await open()).toEqual([]);

  // At an ordinary width the whole list is visible, with the time of the comparison.
  await page.setViewportSize({ width: 1440, height: 900 });
  const runs = page.getByRole("table", { name: "对账历史" });
  const comparedAt = runs.getByRole("columnheader", { name: "对账时间", exact: true });
  await expect(comparedAt).toBeInViewport({ ratio: 1 });
  await expect(runs.getByRole("row").last().getByRole("cell").last()).toBeInViewport({ ratio: 1 });

  // A file in which the wallet reports another amount.
  const [credit] = await stage.wallet.creditsOf("tie-1");
  expect(credit?.trans_sn).toBe(trans_sn);
  const lines = [
    "流水号,面额,玩家ID,到账时间",
    `${trans_sn},9.99,tie-1,${new Date().toISOString()}`,
  ].join("\n");
  const uploaded = await compare();
  await uploaded.dialog
    .locator('input[type="file"]')
    .setInputFiles({ name: "statement.csv", mimeType: "text/csv", buffer: Buffer.from(lines) });
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "放弃未保存的修改？" }).getByText("继续编辑").click();
  await uploaded.go();
  const list = page.getByRole("table", { name: "对账差异列表" });
  const row = list.getByRole("row").filter({ hasText: "金额不符" });
  await expect(row).toContainText("9.99");
  expect(await open()).toEqual(["wrong_amount"]);
  await expect(list.getByRole("columnheader", { name: "处理时间" })).toBeInViewport({ ratio: 1 });

  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "确认差异" }).click();
  const mending = page.getByRole("dialog", { name: "确认差异" });
  await mending.getByRole("button", { name: "确认差异" }).click();
  await expect(mending.getByText("请填写处理原因")).toBeVisible();
  await mending.getByRole("textbox", { name: "原因" }).fill("钱包已更正");
  await mending.getByRole("button", { name: "确认差异" }).click();
  await expect(page.getByText("处理成功")).toBeVisible();
  await expect.poll(open).toEqual([]);

  await row.getByRole("link", { name: String(rounds_id), exact: true }).click();
  const figures = page.getByRole("table", { name: "汇总" });
  await expect(figures.getByRole("row", { name: /已抽出/ })).toContainText("1.00");
  await expect(figures.getByRole("row", { name: /差额/ })).toContainText("0.00");
  await expect(page.getByText("与钱包对账单仍有差异，请核对")).toBeVisible();
  const wallet = page.getByRole("region", { name: "钱包" });
  await expect(wallet.getByText("已确认差异 1 处")).toBeVisible();
  await expect(wallet.getByText(/^对账单截至 .*，已覆盖全部到账记录$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "签核" })).toBeDisabled();
  await expect(page.getByText("活动尚未结束，不能签核")).toBeVisible();

  // Later payments are in none of these statements, though the day is not over.
  await stage.platform.draw(askFor(rounds_id, "tie-1"));
  const path = `/gred/api/act/${rounds_id}/sheet`;
  const paid = async () => dig(await operator.data("GET", path, null), "lines", "paid", "count");
  await expect.poll(paid).toBe(2);
  await page.reload();
  await expect(
    wallet.getByText(/^对账单截至 .*，不含此后到账的 1 条 1\.00，请重新对账$/),
  ).toBeVisible();
  await expect(page.getByText("账目已平，尚未与钱包对账单全部核对")).toBeVisible();
  const csv = (await exported(page, "导出", "CSV")).toString("utf8");
  expect(csv).toContain("已抽出,2,2.00");
  expect(csv).toContain("差额,0,0.00");

  // The same sheet, opened from the list of rounds.
  await page.getByRole("link", { name: "活动管理", exact: true }).click();
  await page.getByRole("textbox", { name: "活动名称" }).fill("对账");
  await page.getByRole("button", { name: "查询", exact: true }).click();
  const rounds = page.getByRole("table", { name: "活动列表" });
  await rounds.getByRole("link", { name: String(rounds_id), exact: true }).click();
  await expect(figures.getByRole("row", { name: /已抽出/ })).toContainText("2.00");

  // And from its own page, among the latest rounds.
  await page.getByRole("link", { name: "活动对账表", exact: true }).click();
  const recent = page.getByRole("region", { name: "最近开始的活动" }).getByRole("link").first();
  const name = (await recent.textContent()) ?? "";
  await recent.click();
  await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
});

test("a round that is over ties out, and is signed off with a code", async ({ page, stage }) => {
  const { operator, token, seed } = await stage.operator("signer");
  const rounds_id = await makeOpenRound(operator, "月结", 100);
  await stage.platform.register("sign-1");
  await stage.wallet.control("pay");
  await stage.platform.draw(askFor(rounds_id, "sign-1"));
  await expect.poll(() => operator.states(rounds_id)).toEqual(["paid"]);
  // The end includes its second.
  await operator.changeRound(rounds_id, { end_time: shown(Date.now() - 2_000) });

  await openConsole(page, stage, token, "/activity_manage/reconciliation");
  await page.getByRole("button", { name: "与钱包对账" }).click();
  const dialog = page.getByRole("dialog", { name: "与钱包对账" });
  await type(page, dialog.getByRole("textbox").first(), shown(Date.now() - 3_600_000));
  await type(page, dialog.getByRole("textbox").nth(1), shown(Date.now()));
  await dialog.getByRole("button", { name: "开始对账" }).click();
  await expect(dialog).toBeHidden();
  const runs = page.getByRole("table", { name: "对账历史" });
  await expect(runs.getByRole("row").nth(1)).toContainText("钱包接口");

  await page.goto(`${stage.switchboard.base}/red/activity_manage/sheet?rounds_id=${rounds_id}`);
  await expect(page.locator(".t-verdict")).toHaveText("账目已平，与钱包对账单一致");
  await expect(page.locator("tr.t-off")).toHaveCount(0);
  for (const line of [/^已到账 1 1\.00/, /^对账单 1 1\.00/]) {
    await expect(page.getByRole("row", { name: line }).first()).toBeVisible();
  }
  // The file has the same figures as the screen.
  const file = sheetFigures(await exported(page, "导出", "Excel（xlsx）"));
  const paid = { count: 1, amount: "1.00" };
  expect([file.get("已到账"), file.get("对账单")]).toEqual([paid, paid]);
  await page.getByRole("button", { name: "签核", exact: true }).click();
  const signing = page.getByRole("dialog", { name: "签核对账表" });
  await signing.getByLabel("动态验证码").fill(codeOf(seed, stepAt(Date.now()) + 1));
  await expect(signing).toBeHidden();
  const signs = page.getByRole("region", { name: "签核" }).getByRole("listitem");
  await expect(signs.filter({ hasText: "与当前数据一致" })).toContainText("signer");
});
