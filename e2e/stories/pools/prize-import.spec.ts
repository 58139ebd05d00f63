/** Prizes from a file: one bad row refuses all, the corrected file is imported and exported, the pool renamed. */
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { numberAt, textAt } from "../../outside/json.ts";
import type { Operator } from "../../outside/operator.ts";
import { exported } from "../form.ts";
import { makePrize } from "../round.ts";
import { openConsole, openPool, test } from "../stage.ts";

const POOL = "导入池";
/** Another operator adds stock to it. */
const SHARED = "同改池";
const RENAMED = "导入后改名的池";
const HEADER = "奖品,奖品额度,权重,奖品总数,是否保底";

async function choose(page: Page, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from([HEADER, ...rows].join("\n"));
  const file = { name: "prizes.csv", mimeType: "text/csv", buffer };
  await page.locator("input[type=file]").setInputFiles(file);
}

async function totals(operator: Operator, pool_name = POOL): Promise<Record<string, number>> {
  const prizes = await operator.prizes(pool_name);
  return Object.fromEntries(
    prizes.map((prize) => [textAt(prize, "award_name"), numberAt(prize, "award_total")]),
  );
}

test("a bad row refuses the file, the mended one is imported", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  await makePrize(operator, POOL);
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, POOL);
  await page.getByRole("button", { name: "批量导入" }).click();

  await choose(page, ["3.00元红包,3.00,1,20,否", "5.00元红包,5.00,3o,-5,否"]);
  const faults = page.getByRole("region", { name: "错误列表" });
  await expect(faults.getByRole("row").last()).toContainText("必须在 0 到 1000000000 之间");
  await expect(faults.getByRole("row")).toHaveCount(3);
  const listing = page.waitForEvent("download");
  await page.getByRole("button", { name: "下载错误列表" }).click();
  const listed = await readFile(await (await listing).path(), "utf8");
  expect(listed).toContain('"3","权重","3o"');
  expect(listed).toContain('"3","奖品总数","\'-5"');
  const save = page.getByRole("button", { name: "导入", exact: true });
  await expect(save).toBeDisabled();
  expect(await totals(operator)).toEqual({ "1.00元红包": 10 });

  // One price is a hundred times too high; an unchanged row is no update.
  await choose(page, ["3.00元红包,300,1,20,否", "1.00元红包,1.00,1,10,是"]);
  const warned = page.getByRole("region", { name: POOL });
  await expect(page.getByText("新增 1 种，更新 0 种，1 种与奖池现有的相同")).toBeVisible();
  await expect(warned).toContainText("单抽期望成本升至原来的 150.5 倍，请核对额度和权重。");
  await expect(warned).toContainText("剩余最大支出升至原来的 601 倍，请核对额度和总数。");
  await choose(page, ["1.00元红包,1.50,1,10,是"]);
  await expect(warned).toContainText("奖品额度有变：「1.00元红包」1.00 → 1.50。");

  await choose(page, ["3.00元红包,3.00,1,20,否", "1.00元红包,1.00,1,30,是"]);
  const changes = page.getByRole("region", { name: "导入前后对比" });
  await expect(page.getByText("新增 1 种，更新 1 种")).toBeVisible();
  await expect(changes).toContainText("10 → 50");
  await expect(changes).toContainText("1.00 → 2.00");
  await expect(changes.getByRole("row", { name: /^1.00元红包/ })).toContainText("100.00% → 50.00%");
  await expect(changes.getByRole("row", { name: /^3.00元红包/ })).toContainText("新增");
  await save.click();
  await expect(save).toBeHidden();
  await expect.poll(() => totals(operator)).toEqual({ "1.00元红包": 30, "3.00元红包": 20 });

  expect((await exported(page, "批量导出", "CSV")).toString("utf8")).toContain("3.00元红包");

  await page.getByRole("button", { name: "更多" }).click();
  await page.getByRole("menuitem", { name: "重命名奖池" }).click();
  const naming = page.getByRole("dialog", { name: "重命名奖池" });
  await naming.getByLabel("奖池名称").fill(RENAMED);
  await naming.getByRole("button", { name: "保存" }).click();
  await expect(naming).toBeHidden();
  const tab = page.getByRole("tab", { name: RENAMED, exact: true });
  await expect(tab).toHaveAttribute("aria-selected", "true");
});

test("stock added after the preview is shown before it is imported over", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const id = await makePrize(operator, SHARED);
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, SHARED);

  await page.getByRole("button", { name: "批量导入" }).click();
  await choose(page, ["1.00元红包,1.00,1,20,是"]);
  const changes = page.getByRole("region", { name: "导入前后对比" });
  await expect(changes).toContainText("10 → 20");
  await operator.data("PUT", `/gred/api/prize/${id}/stock`, { add: 7 });
  const save = page.getByRole("button", { name: "导入", exact: true });
  await save.click();
  await expect(page.getByText("预览之后奖池有了变化，请核对后再导入")).toBeVisible();
  await expect(changes).toContainText("17 → 20");
  expect(await totals(operator, SHARED)).toEqual({ "1.00元红包": 17 });
  await save.click();
  await expect(page.getByText("添加成功")).toBeVisible();
  expect(await totals(operator, SHARED)).toEqual({ "1.00元红包": 20 });
});
