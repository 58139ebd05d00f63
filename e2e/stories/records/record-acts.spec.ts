/**
 * Story 3: the wallet refuses, an operator re-issues twice, the money arrives once. Another refused payout is closed with a
 * reason, a physical prize is delivered, the round is exported.
 */
import { expect } from "@playwright/test";
import { dig, listAt, numberAt, textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { exported } from "../form.ts";
import { makeOpenRound, makePrize, MONEY } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("re-issued, closed, delivered, exported", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "处理", 100);
  await stage.platform.call("POST", "/open/v1/players", {
    players: [{ player_id: "acts-1", user_name: "acts01" }],
  });
  await stage.wallet.control("refuse", { reason: "account closed" });
  const { body } = await stage.platform.draw(askFor(rounds_id, "acts-1"));
  const trans_sn = textAt(body, "trans_sn");
  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  const row = page.getByRole("row", { name: /acts01/ });
  const listed = (text: string) =>
    expect(async () => {
      await page.getByRole("button", { name: "查询", exact: true }).click();
      await expect(row).toContainText(text, { timeout: 1_000 });
    }).toPass({ timeout: 15_000 });
  await listed("失败");
  await expect(row).toContainText("账户已关闭（account closed）");
  expect(await stage.wallet.creditsOf("acts-1")).toEqual([]);
  const before = await stage.wallet.payCalls(trans_sn);
  await page.getByRole("button", { name: /^补发 acts01/ }).click();
  const confirm = page.getByRole("dialog", { name: "confirm reissue?" });
  await confirm.getByRole("button", { name: "确定" }).click();
  await expect(confirm).toBeHidden();
  await expect(page.getByText("补发成功")).toBeVisible();
  await expect(page.getByText(/^1 条已重新发送：1 再次被拒/).first()).toBeVisible();
  await page.getByRole("button", { name: /^任务/ }).click();
  await page.getByRole("button", { name: "明细" }).first().click();
  const rows = page.getByRole("dialog");
  await expect(rows.getByRole("row", { name: /acts01/ })).toContainText("被拒绝：账户已关闭");
  await stage.wallet.control("pay");
  await rows.getByRole("button", { name: "补发这 1 条" }).click();
  await page.keyboard.press("Escape");
  await listed("成功");
  expect(await stage.wallet.payCalls(trans_sn)).toBe(before + 2);
  const credits = await stage.wallet.creditsOf("acts-1");
  expect(credits.map((credit) => credit.trans_sn)).toEqual([trans_sn]);

  await stage.wallet.control("refuse", { reason: "account closed" });
  await stage.platform.draw(askFor(rounds_id, "acts-1"));
  const id = numberAt(await operator.prizes("处理池"), 0, "id");
  const paid = { ...MONEY, pool_name: "处理池", award_total: 100, floors: 0, weight: 0 };
  await operator.data("PUT", `/gred/api/prize/${id}`, paid);
  await makePrize(operator, "处理池", { award_name: "手机", award_price: "0", floors: 0 });
  await stage.platform.draw(askFor(rounds_id, "acts-1"));
  const states = async () => {
    const found = await operator.data("GET", `/gred/api/record/list?rounds_id=${rounds_id}`, null);
    return listAt(found, "content").map((row) => [dig(row, "payout_state"), dig(row, "note")]);
  };
  await expect.poll(states).toEqual([
    ["waiting_delivery", null],
    ["refused", null],
    ["paid", null],
  ]);
  await stage.wallet.control("pay");

  await openConsole(page, stage, token, "/activity_manage/distribution");
  await page.getByRole("button", { name: /^标记发货 acts01/ }).click();
  const delivery = page.getByRole("dialog", { name: "标记发货" });
  await delivery.getByRole("textbox", { name: "备注" }).fill("SF 1001");
  await delivery.getByRole("button", { name: "标记发货" }).click();
  await expect(page.getByText("已标记发货")).toBeVisible();

  await page.getByRole("button", { name: /^关闭 acts01/ }).click();
  const closing = page.getByRole("dialog", { name: "关闭发放" });
  await closing.getByRole("button", { name: "关闭发放" }).click();
  await expect(closing.getByText("请填写关闭原因")).toBeVisible();
  await closing.getByRole("textbox", { name: "关闭原因" }).fill("销户");
  await closing.getByRole("button", { name: "关闭发放" }).click();
  await expect(page.getByText("关闭成功")).toBeVisible();
  await expect.poll(states).toEqual([
    ["delivered", "SF 1001"],
    ["closed", "销户"],
    ["paid", null],
  ]);

  await page.getByRole("button", { name: "展开", exact: true }).click();
  await page.getByRole("textbox", { name: "活动ID" }).fill(String(rounds_id));
  const csv = (await exported(page, "导出", "CSV")).toString("utf8");
  const all = await operator.records(rounds_id);
  expect(all.filter((one) => csv.includes(one.trans_sn))).toHaveLength(3);

  // Two more are delivered together.
  await stage.platform.draw(askFor(rounds_id, "acts-1"));
  await stage.platform.draw(askFor(rounds_id, "acts-1"));
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page.getByRole("button", { name: /^标记发货 acts01/ })).toHaveCount(2);
  await page.getByRole("checkbox", { name: "全选本页" }).check();
  await page.getByRole("button", { name: "批量发货" }).click();
  await expect(delivery).toContainText("可标记发货 2 条");
  await delivery.getByRole("textbox", { name: "备注" }).fill("SF 1002");
  await delivery.getByRole("button", { name: "标记发货" }).click();
  await expect(delivery).toBeHidden();
  const both = ["delivered", "SF 1002"];
  expect((await states()).slice(0, 2)).toEqual([both, both]);
});
