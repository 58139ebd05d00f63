/** Story 4: rounds are paused and resumed. */
import { expect } from "@playwright/test";
import { dig, numberAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("two switches at once are each told, and a pause that fails starts the list over", async ({
  page,
  stage,
}) => {
  const { operator, token } = await stage.operator();
  const first = await makeOpenRound(operator, "双停一", 1);
  await makeOpenRound(operator, "双停二", 1);
  await openConsole(page, stage, token, "/activity_manage/config?rounds_name=双停&size=50");
  const [one, two] = [/双停一 开关/, /双停二 开关/].map((name) =>
    page.getByRole("switch", { name }),
  );
  const busy = page.getByRole("switch", { disabled: true });
  const path = `PUT /gred/api/act/pause/${first}`;
  stage.switchboard.cut(path);
  await one?.click();
  await expect(page).not.toHaveURL(/size=/);
  await expect(busy).toHaveCount(0);
  stage.switchboard.cut(null);

  stage.switchboard.hold(path);
  await one?.click();
  await two?.click();
  await expect(page.getByText("暂停活动成功")).toBeVisible();
  await expect(busy).toHaveCount(1);
  stage.switchboard.hold(null);
  await expect(busy).toHaveCount(0);
});

test("resuming a round whose pool is empty warns first", async ({ page, stage }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  const { operator, token } = await stage.operator();
  const id = await makeOpenRound(operator, "续开", 1);
  await stage.platform.register("resume-1");
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

  const prize = numberAt(await operator.prizes("续开池"), 0, "id");
  await operator.data("PUT", `/gred/api/prize/${prize}/stock`, { add: 50 });
  await toggle.click();
  await expect.poll(status, { timeout: 30_000 }).toBe(1);
  await expect(toggle).toBeChecked();
  expect((await stage.platform.draw(askFor(id, "resume-1"))).status).toBe(201);
});
