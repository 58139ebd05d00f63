/** Exported files hold what the form says, and one is imported again. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { xlsxRows } from "../outside/workbook.ts";
import { exported } from "./form.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, openPool, test } from "./stage.ts";

const EXCEL = "Excel（xlsx）";
const PLAYER = { player_id: "excel-1", user_name: "=excel<01>&" };

// Three files on a possibly busy machine.
test.setTimeout(180_000);

/** The row with this text, by column name. */
function rowWith(archive: Buffer, text: string): Record<string, string | undefined> {
  const [header = [], ...rows] = xlsxRows(archive);
  const row = rows.find((cells) => cells.includes(text)) ?? [];
  return Object.fromEntries(header.map((name, at) => [name, row[at]]));
}

test("records, deposits and prizes as Excel files", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("excel-op");
  const rounds_id = await makeOpenRound(operator, "表格", 10);
  await stage.platform.call("POST", "/open/v1/players", { players: [PLAYER] });
  const created_at = new Date().toISOString();
  const deposit = { ...PLAYER, order_no: "excel-d1", amount: "1234.50", channel: 5, client: 2 };
  await stage.platform.call("POST", "/open/v1/deposits", {
    deposits: [{ ...deposit, created_at }],
  });
  const { body } = await stage.platform.draw(askFor(rounds_id, PLAYER.player_id));
  const trans_sn = textAt(body, "trans_sn");
  const state = async () => (await operator.records(rounds_id))[0]?.payout_state;
  await expect.poll(state, { timeout: 30_000 }).toBe("paid");

  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  await expect(page.getByRole("row", { name: trans_sn })).toBeVisible({ timeout: 30_000 });
  expect(rowWith(await exported(page, "导出", EXCEL), trans_sn)).toMatchObject({
    账号: PLAYER.user_name,
    奖品: "1.00元红包",
    活动名称: "表格",
    发放状态: "成功",
  });

  const day = shown(Date.now()).slice(0, 10);
  const search = new URLSearchParams({ user_name: PLAYER.user_name, start_date: day });
  await openConsole(page, stage, token, `/activity_manage/deposit_bet?${search.toString()}`);
  await expect(page.getByRole("row", { name: "excel-d1" })).toBeVisible({ timeout: 30_000 });
  expect(rowWith(await exported(page, "导出", EXCEL), "excel-d1")).toMatchObject({
    账号: PLAYER.user_name,
    存款金额: "1234.50",
    渠道: "聚合支付",
    客户端: "wap",
  });

  const path = `/gred/api/prize/list?pool_name=${encodeURIComponent("表格池")}`;
  const prizes = async () => listAt(await operator.data("GET", path, null), "content");
  await operator.data("POST", "/gred/api/prize", {
    pool_name: "表格池",
    award_name: '"杯", <大>&',
    award_price: "0.00",
    weight: 7,
    award_total: 8,
    floors: 1,
  });
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, "表格池");
  await expect(page.getByRole("row", { name: /杯/ })).toBeVisible({ timeout: 30_000 });
  const file = await exported(page, "批量导出", EXCEL);
  expect(xlsxRows(file)).toHaveLength(3);
  const cup = (await prizes()).find((prize) => dig(prize, "weight") === 7);
  await operator.data("DELETE", `/gred/api/prize/${numberAt(cup, "id")}`, null);

  await page.getByRole("button", { name: "批量导入" }).click();
  await page.locator("input[type=file]").setInputFiles({
    name: "prizes.xlsx",
    mimeType: "application/octet-stream",
    buffer: file,
  });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/新增 1 种/)).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole("button", { name: "导入", exact: true }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  const again = (await prizes()).find((prize) => dig(prize, "weight") === 7);
  expect(again).toMatchObject({ award_name: '"杯", <大>&', award_total: 8, floors: 1 });
});

async function refusedWith(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "导出", exact: true }).click();
  await page.getByRole("menuitem", { name: "CSV" }).click();
  await expect(page.getByText(words).first()).toBeVisible();
}

test("a file holds what the form says when it is taken, or there is none", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator("export-form");
  const rounds_id = await makeOpenRound(operator, "所填", 10);
  const players = ["form-1", "form-2"].map((player_id) => ({ player_id, user_name: player_id }));
  await stage.platform.call("POST", "/open/v1/players", { players });
  const created_at = new Date().toISOString();
  const paid = { amount: "10.00", channel: 1, client: 1, created_at };
  for (const player of players) {
    const deposit = { ...player, ...paid, order_no: `d-${player.player_id}` };
    await stage.platform.call("POST", "/open/v1/deposits", { deposits: [deposit] });
    await stage.platform.draw(askFor(rounds_id, player.player_id));
  }
  const files: string[] = [];
  page.on("download", (download) => files.push(download.suggestedFilename()));
  const csv = async () => (await exported(page, "导出", "CSV")).toString("utf8");
  const account = page.getByRole("search").getByLabel("账号");

  await openConsole(page, stage, token, "/activity_manage/distribution");
  await account.fill("form-2");
  await page.getByLabel("活动ID").fill(String(rounds_id));
  const records = await csv();
  expect(records).toContain("form-2");
  expect(records).not.toContain("form-1");
  await expect(page.getByText("列表尚未按这些条件查询")).toBeVisible();
  const start = page.getByLabel("参与时间 开始时间");
  await start.fill("2026-11-31");
  await start.press("Escape");
  await refusedWith(page, "条件有误，请先更正；没有导出");
  await expect(page.getByText(/^时间填写有误/)).toBeVisible();
  await expect(start).toBeFocused();

  const day = shown(Date.now()).slice(0, 10);
  await openConsole(page, stage, token, `/activity_manage/deposit_bet?start_date=${day}`);
  await expect(page.getByRole("row", { name: "d-form-1" })).toBeVisible();
  await account.fill("form-2");
  const taken = await csv();
  expect(taken).toContain("d-form-2");
  expect(taken).not.toContain("d-form-1");

  await openConsole(page, stage, token, "/activity_manage/query");
  await refusedWith(page, "please fill in the username");
  expect(files).toHaveLength(2);
});
