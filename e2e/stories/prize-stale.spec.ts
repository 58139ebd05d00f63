import { expect } from "@playwright/test";
import { listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";
import { openConsole, openPool, test } from "./stage.ts";

const POOL = "同改池";
const NAME = "1.00元红包";

async function prize(operator: Operator): Promise<{ id: number; total: number; price: string }> {
  const path = `/gred/api/prize/list?pool_name=${encodeURIComponent(POOL)}`;
  const [row] = listAt(await operator.data("GET", path, null), "content");
  return {
    id: numberAt(row, "id"),
    total: numberAt(row, "award_total"),
    price: textAt(row, "award_price"),
  };
}

async function addStock(operator: Operator, add: number): Promise<void> {
  const { id } = await prize(operator);
  await operator.data("PUT", `/gred/api/prize/${id}/stock`, { add });
}

test("stock added meanwhile stays, in the form and in an import", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  await operator.data("POST", "/gred/api/prize", {
    pool_name: POOL,
    award_name: NAME,
    award_price: "1.00",
    weight: 1,
    award_total: 10,
    floors: 1,
  });
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, POOL);

  await page.getByRole("button", { name: `编辑 ${NAME}` }).click();
  const dialog = page.getByRole("dialog", { name: "编辑奖品" });
  const price = dialog.getByLabel("奖品额度");
  await expect(price).toHaveValue("1.00");
  await addStock(operator, 5);
  await price.fill("2.00");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog.getByRole("alert")).toContainText("内容已被他人修改");
  await expect(price).toHaveValue("2.00");
  expect(await prize(operator)).toMatchObject({ total: 15, price: "1.00" });

  await dialog.getByRole("button", { name: "载入最新内容" }).click();
  await expect(dialog.getByLabel("奖品总数")).toHaveValue("15");
  await price.fill("2.00");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("修改成功")).toBeVisible();
  expect(await prize(operator)).toMatchObject({ total: 15, price: "2.00" });

  await page.getByRole("button", { name: "批量导入" }).click();
  const rows = ["奖品,奖品额度,权重,奖品总数,是否保底", `${NAME},2.00,1,20,是`].join("\n");
  const buffer = Buffer.from(rows);
  const file = { name: "prizes.csv", mimeType: "text/csv", buffer };
  await page.locator("input[type=file]").setInputFiles(file);
  const changes = page.getByRole("region", { name: "导入前后对比" });
  await expect(changes).toContainText("15 → 20");
  await addStock(operator, 7);
  const save = page.getByRole("button", { name: "导入", exact: true });
  await save.click();
  await expect(page.getByText("预览之后奖池有了变化，请核对后再导入")).toBeVisible();
  await expect(changes).toContainText("22 → 20");
  expect(await prize(operator)).toMatchObject({ total: 22 });
  await save.click();
  await expect(page.getByText("添加成功")).toBeVisible();
  expect(await prize(operator)).toMatchObject({ total: 20 });
});
