/** Pools and prizes, on 奖品管理. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import type { Prize } from "../../outside/setup.ts";
import { openPool } from "../stage.ts";
import { goTo } from "./desk.ts";
import type { Desk } from "./desk.ts";

const HEADER = "奖品,奖品额度,权重,奖品总数,是否保底";

/** Saves a dialog: it is gone once the answer has come. */
async function save(dialog: Locator, button: string | RegExp): Promise<void> {
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toBeHidden();
}

/** A new pool, named, and its prizes from a file. */
export async function makePool(
  desk: Desk,
  pool_name: string,
  prizes: readonly Prize[],
): Promise<void> {
  const { page } = desk;
  await goTo(desk, "奖品管理");
  await page.getByRole("tab", { name: "添加奖池" }).click();
  await expect(page.getByRole("tab", { name: "pool 1", exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.getByRole("button", { name: "更多" }).click();
  await page.getByRole("menuitem", { name: "重命名奖池" }).click();
  const naming = page.getByRole("dialog", { name: "重命名奖池" });
  await naming.getByLabel("奖池名称").fill(pool_name);
  await save(naming, "保存");
  await openPool(page, pool_name);

  const lines = prizes.map(({ award_name, award_price, weight, award_total, floors }) =>
    [award_name, award_price, weight, award_total, floors].join(),
  );
  await page.getByRole("button", { name: "批量导入" }).click();
  const importing = page.getByRole("dialog", { name: "批量导入" });
  await importing.locator("input[type=file]").setInputFiles({
    name: "prizes.csv",
    mimeType: "text/csv",
    buffer: Buffer.from([HEADER, ...lines].join("\n")),
  });
  await expect(importing).toContainText(`新增 ${prizes.length} 种`);
  await save(importing, "导入");
  for (const { award_name } of prizes) {
    await expect(page.getByRole("button", { name: `编辑 ${award_name}` })).toBeVisible();
  }
}

export async function mendPrice(
  desk: Desk,
  pool_name: string,
  award_name: string,
  award_price: string,
): Promise<void> {
  const { page } = desk;
  await goTo(desk, "奖品管理");
  await openPool(page, pool_name);
  await page.getByRole("button", { name: `编辑 ${award_name}` }).click();
  const dialog = page.getByRole("dialog", { name: "编辑奖品" });
  await expect(dialog.getByLabel("奖品额度")).not.toHaveValue("");
  await dialog.getByLabel("奖品额度").fill(award_price);
  // Said with its effect while a running round uses the pool.
  await save(dialog, /^保存/);
}

export async function addStock(
  desk: Desk,
  pool_name: string,
  added: Readonly<Record<string, number>>,
): Promise<void> {
  const { page } = desk;
  await goTo(desk, "奖品管理");
  await openPool(page, pool_name);
  for (const [award_name, count] of Object.entries(added)) {
    await page.getByRole("button", { name: `补库存 ${award_name}` }).click();
    const dialog = page.getByRole("dialog", { name: "补库存" });
    await dialog.getByLabel("增加数量").fill(String(count));
    await save(dialog, "增加库存");
  }
  await desk.show("2-tuesday-stock");
}
