/** A slip in a pool is undone in two clicks; what wants a code is set where operators look. */
import { expect } from "@playwright/test";
import { numberAt } from "../outside/json.ts";
import { type } from "./form.ts";
import { makePrize } from "./round.ts";
import { openConsole, openPool, test } from "./stage.ts";

test("a changed prize is back as it was in two clicks, and the guard's sum is changed in 设置", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  await makePrize(operator, "版本池", { weight: 100 });
  const weight = async () => numberAt(await operator.prizes("版本池"), 0, "weight");
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, "版本池");
  await page.getByRole("button", { name: "编辑 1.00元红包" }).click();
  const form = page.getByRole("dialog", { name: "编辑奖品" });
  await type(page, form.getByLabel("权重"), "100000");
  await form.getByRole("button", { name: "保存", exact: true }).click();
  await expect(form).toBeHidden();
  expect(await weight()).toBe(100_000);

  await page.getByRole("button", { name: "历史版本" }).click();
  const versions = page.getByRole("dialog", { name: "「版本池」的历史版本" });
  await expect(versions.getByText("「1.00元红包」：权重 100 → 100,000")).toBeVisible();
  await versions.getByRole("button", { name: "恢复到此版本" }).first().click();
  await expect(page.getByText(/已恢复到版本 \d+，现在是版本 \d+/)).toBeVisible();
  await expect(versions).toBeHidden();
  expect(await weight()).toBe(100);

  await page.getByRole("link", { name: "设置", exact: true }).click();
  const row = page.getByRole("row", { name: /大额变动金额/ });
  const sum = row.getByRole("textbox");
  await sum.fill("很多");
  await row.getByRole("button").click();
  await expect(row.getByText("设置值无效，应如 10000.00")).toBeVisible();
  await sum.fill("¥10,000.01元");
  await row.getByRole("button").click();
  await expect(row.getByRole("cell", { name: /^\d{4}-/ })).toBeVisible();
  await expect(sum).toHaveValue("10000.01");
  expect((await stage.redctl("config list")).out).toMatch(/guard_sum +10000\.01/);
  await stage.redctl("config set guard_sum 10000.00");
});
