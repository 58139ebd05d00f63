import { expect } from "@playwright/test";
import { dig, numberAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { openConsole, test } from "./stage.ts";

test.use({ viewport: { width: 390, height: 844 } });
test.setTimeout(180_000);

test("an empty pool is told before its round is resumed", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const id = await makeOpenRound(operator, "续开", 1);
  const players = [{ player_id: "resume-1", user_name: "resume01" }];
  await stage.platform.call("POST", "/open/v1/players", { players });
  expect((await stage.platform.draw(askFor(id, "resume-1"))).status).toBe(201);
  const status = async () =>
    dig(await operator.data("GET", `/gred/api/act/${id}/edit`, null), "rounds_status");
  const search = `rounds_name=${encodeURIComponent("续开")}`;
  await openConsole(page, stage, token, `/activity_manage/config?${search}`);
  const toggle = page.getByRole("switch", { name: "续开 开关" });
  await expect(toggle).toBeChecked({ timeout: 30_000 });
  await toggle.click();
  await expect.poll(status, { timeout: 30_000 }).toBe(0);
  await expect(toggle).not.toBeChecked();
  expect((await stage.platform.draw(askFor(id, "resume-1"))).code).toBe("round_not_active");

  const question = page.getByRole("dialog", { name: "恢复活动「续开」？" });
  await toggle.click();
  await expect(question).toContainText("奖池「续开池」已没有可抽的奖品。", { timeout: 30_000 });
  await question.getByRole("button", { name: "取消" }).click();
  await expect(question).toBeHidden();
  expect(await status()).toBe(0);

  const path = `/gred/api/prize/list?pool_name=${encodeURIComponent("续开池")}`;
  const prize = numberAt(await operator.data("GET", path, null), "content", 0, "id");
  await operator.data("PUT", `/gred/api/prize/${prize}/stock`, { add: 50 });
  await toggle.click();
  await expect.poll(status, { timeout: 30_000 }).toBe(1);
  await expect(toggle).toBeChecked();
  expect((await stage.platform.draw(askFor(id, "resume-1"))).status).toBe(201);
});
