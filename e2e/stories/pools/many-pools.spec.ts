import { expect } from "@playwright/test";
import { listAt, numberAt, textAt } from "../../outside/json.ts";
import { openConsole, test } from "../stage.ts";

const POOLS = 30;
const nameOf = (at: number) => `数不清的奖池之第${at}号`;

test("a pool among many is found, opened and stays in sight", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  for (let at = 1; at <= POOLS; at += 1) {
    await operator.data("POST", "/gred/api/pool", { pool_name: nameOf(at) });
  }
  const pools = listAt(await operator.data("GET", "/gred/api/pool", null), "content");
  const idOf = (name: string) =>
    pools.filter((pool) => textAt(pool, "pool_name") === name).map((pool) => numberAt(pool, "id"));
  const tabOf = (name: string) => page.getByRole("tab", { name, exact: true });
  const add = page.getByRole("tab", { name: "添加奖池" });

  await page.setViewportSize({ width: 390, height: 844 });
  const [middle] = idOf(nameOf(15));
  await openConsole(page, stage, token, `/activity_manage/prize?pool=${middle}`);
  await expect(tabOf(nameOf(15))).toHaveAttribute("aria-selected", "true");
  await expect(tabOf(nameOf(15))).toBeInViewport();

  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    for (const at of [1, POOLS]) {
      const find = page.getByRole("combobox", { name: `全部 ${pools.length} 个奖池` });
      await find.click();
      await find.fill(nameOf(at));
      await page
        .getByRole("option", { name: nameOf(at), exact: true })
        .waitFor({ state: "attached" });
      await page.keyboard.press("Enter");
      await expect(tabOf(nameOf(at))).toHaveAttribute("aria-selected", "true");
      await expect(tabOf(nameOf(at))).toBeInViewport();
      await expect(page).toHaveURL(new RegExp(`pool=${idOf(nameOf(at)).join()}\\b`));
    }
    // The last tab is one key away.
    await page.getByRole("tab", { selected: true }).focus();
    await page.keyboard.press("End");
    await expect(add).toBeFocused();
    await expect(add).toBeInViewport();
  }
});
