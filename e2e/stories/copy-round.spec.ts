import { expect } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

/** This story's rounds only. */
async function rounds(operator: Operator): Promise<unknown[]> {
  const path = `/gred/api/act/list?rounds_name=${encodeURIComponent("夜场")}&page=1&size=99`;
  const list = await operator.data("GET", path, null);
  return listAt(list, "content");
}

async function stock(operator: Operator, pool_name: string): Promise<number[]> {
  return (await operator.prizes(pool_name)).map((prize) => numberAt(prize, "remaining"));
}

test("a round is copied to a day with its pool, full again", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const source = await makeOpenRound(operator, "夜场", 50);
  await stage.platform.register("copy-1");
  await stage.platform.draw(askFor(source, "copy-1"));
  const before = (await rounds(operator))[0];

  await openConsole(page, stage, token, "/activity_manage/config");
  await page.getByRole("button", { name: "复制 夜场" }).click();
  const dialog = page.getByRole("dialog", { name: "复制活动「夜场」" });
  await dialog.getByRole("button", { name: "复制并立即开始" }).click();
  const day = shown(Date.now()).slice(5, 10);
  await expect(page.getByText(/已复制为「夜场/)).toBeVisible();
  const copy = (await rounds(operator)).find((row) => numberAt(row, "id") !== source);
  const pool_name = textAt(copy, "pool_name");
  expect(pool_name).toBe(`夜场池 ${day}`);
  expect(textAt(copy, "start_time").slice(5, 10)).toBe(day);
  expect(textAt(copy, "start_time").slice(11)).toBe(textAt(before, "start_time").slice(11));
  expect([await stock(operator, "夜场池"), await stock(operator, pool_name)]).toEqual([[49], [50]]);
  const after = (await rounds(operator)).find((row) => numberAt(row, "id") === source);
  expect(after).toEqual(before);
  const answer = await stage.platform.draw(askFor(numberAt(copy, "id"), "copy-1"));
  expect([answer.status, dig(answer.body, "award_name")]).toEqual([201, "1.00元红包"]);
  expect(await stock(operator, "夜场池")).toEqual([49]);
});
