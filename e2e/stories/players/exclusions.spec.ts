/** A risk case: excluded from a list and a file, seen at the player, lifted. */
import { expect } from "@playwright/test";
import { askFor } from "../../outside/platform.ts";
import { pick } from "../form.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test("exclusions by list and file, the player view, and lifting", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const round = await makeOpenRound(operator, "排除", 100);
  await stage.platform.register("ex-1", "ex-2", "ex-3");

  await openConsole(page, stage, token, "/activity_manage/exclusion");
  await page.getByRole("button", { name: "排除账号" }).click();
  const dialog = page.getByRole("dialog", { name: "排除账号" });
  await dialog.getByLabel("账号（每行一个").fill("ex-1\nEX-1, ghost");
  await pick(page, dialog.getByLabel("排除类型"), "风控");
  await dialog.getByLabel("原因").fill("多账号");
  await expect(dialog).toContainText("将排除 1 个账号");
  await expect(dialog.getByLabel(/没有这些账号/)).toHaveValue("ghost");
  await dialog.getByRole("button", { name: "排除", exact: true }).click();
  await expect(page.getByText("已排除 1 个账号")).toBeVisible();
  const row = page.getByRole("row", { name: /ex-1/ });
  await expect(row).toContainText("风控");
  await expect(row).toContainText("生效中");
  const draw = async () => (await stage.platform.draw(askFor(round, "ex-1"))).status;
  expect(await draw()).toBe(403);

  await page.getByRole("button", { name: "排除账号" }).click();
  const choose = (text: string) =>
    dialog.locator("input[type=file]").setInputFiles({
      name: "exclusions.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(`账号,类型,原因,截止时间\n${text}`),
    });
  await choose("ex-2,自我排除,本人,\nex-3,谁,本人,\n");
  await expect(dialog).toContainText("文件有 1 处错误");
  await expect(dialog.getByRole("button", { name: "排除", exact: true })).toBeDisabled();
  await choose("ex-1,内部员工,客服,\nex-2,自我排除,本人,\nex-3,冷静期,本人,2099-01-01\n");
  await expect(dialog).toContainText(
    "将排除 3 个账号（自我排除 1、冷静期 1、内部员工 1；其中永久 2 条）",
  );
  await expect(dialog.getByLabel(/请核对前 3 条/)).toHaveValue(
    /ex-3 · 冷静期 · 2099-01-01 23:59:59/,
  );
  await dialog.getByRole("button", { name: "排除", exact: true }).click();
  await expect(page.getByRole("row", { name: /ex-3/ })).toContainText("文件");

  await page.getByRole("button", { name: "ex-1" }).first().click();
  const drawer = page.getByRole("dialog", { name: /ex-1/ });
  await expect(drawer).toContainText("已排除：内部员工，永久");
  await expect(drawer).toContainText("玩家在排除名单中（内部员工，永久）");
  await drawer.getByRole("button", { name: "加次数" }).click();
  const grant = page.getByRole("dialog", { name: "给 ex-1 添加额外次数" });
  await expect(grant).toContainText("玩家在排除名单中，不能添加额外次数");
  await page.keyboard.press("Escape");
  await expect(grant).toBeHidden();
  for (let left = 2; left > 0; left -= 1) {
    await expect(drawer.getByRole("button", { name: "解除 ex-1 的排除" })).toHaveCount(left);
    await drawer.getByRole("button", { name: "解除 ex-1 的排除" }).first().click();
    const lifting = page.getByRole("dialog", { name: "解除 ex-1 的排除（" });
    await lifting.getByLabel("原因").fill("已核实");
    await lifting.getByRole("button", { name: "解除", exact: true }).click();
    await expect(lifting).toBeHidden();
  }
  await expect(drawer).not.toContainText("已排除");
  expect(await draw()).toBe(201);
});
