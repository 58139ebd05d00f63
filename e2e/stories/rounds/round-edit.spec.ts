/** Two operators on one round: the later save is refused, loses nothing, and overwrites nothing unseen. */
import { expect } from "@playwright/test";
import { numberAt, textAt } from "../../outside/json.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("a round that another operator saved meanwhile: refused, kept, saved again", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const id = await makeOpenRound(operator, "同改活动", 10);
  const detail = () => operator.data("GET", `/gred/api/act/${id}/edit`, null);
  const before = numberAt(await detail(), "version");
  await openConsole(page, stage, token, `/activity_manage/config?edit=${id}`);
  const mine = page.getByRole("dialog");
  const name = mine.getByRole("textbox", { name: /活动名称$/ });
  await expect(name).toHaveValue("同改活动", { timeout: 30_000 });
  await operator.changeRound(id, { rounds_name: "另一页的名称" });

  // A network fault while the latest is loaded loses nothing, and it can be loaded again.
  stage.switchboard.cut(`GET /gred/api/act/${id}/edit`);
  await name.fill("这一页的名称");
  await mine.getByRole("button", { name: /^保存/ }).click();
  const refusal = mine.getByRole("alert").filter({ hasText: "内容已被他人修改" });
  await expect(refusal).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText(/^网络异常|^无法连接/).first()).toBeVisible();
  stage.switchboard.cut(null);
  // Refused: the other's values are saved, the entered ones are still in the form.
  await expect(name).toHaveValue("这一页的名称");
  expect(textAt(await detail(), "rounds_name")).toBe("另一页的名称");
  expect(numberAt(await detail(), "version")).toBe(before + 1);
  await refusal.getByRole("button", { name: "载入最新内容" }).click();
  // The message lists the other's changes; the entered values stay until the other's are chosen.
  const conflict = mine.getByRole("alert").filter({ hasText: "活动名称（原为 同改活动）" });
  await expect(conflict).toContainText(/ 于 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d 保存/, {
    timeout: 30_000,
  });
  await expect(name).toHaveValue("这一页的名称");
  await conflict.getByRole("radio", { name: "用对方的：另一页的名称" }).check();
  await expect(name).toHaveValue("另一页的名称");
  await conflict.getByRole("radio", { name: "用我的：这一页的名称" }).check();
  await mine.getByRole("button", { name: /^保存/ }).click();
  await expect(mine).toBeHidden({ timeout: 30_000 });
  await expect.poll(async () => textAt(await detail(), "rounds_name")).toBe("这一页的名称");
  expect(numberAt(await detail(), "version")).toBe(before + 2);
});
