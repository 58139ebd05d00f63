import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { parsed, textAt } from "../../outside/json.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import { signInAs } from "../form.ts";
import { openConsole, test } from "../stage.ts";

const NAME = "session-end";

async function signIn(page: Page, password: string, seed: string): Promise<void> {
  await signInAs(page, NAME, password);
  const code = page.getByRole("dialog").getByRole("textbox");
  // Binding used the current code.
  await code.fill(codeOf(seed, stepAt(Date.now()) + 1));
}

test("many expired calls, one dialog; what was entered comes back", async ({ page, stage }) => {
  const { seed, token } = await stage.operator(NAME);
  await openConsole(page, stage, token, "/activity_manage/tag");
  await expect(page.getByRole("row", { name: /weekend/ })).toBeVisible();
  const reset = await stage.redctl(`admin reset-password ${NAME} --json`);
  const password = textAt(parsed(reset.out), "password");

  // Both lists of the page load, twice each.
  await page.keyboard.press("r");
  await page.keyboard.press("r");
  const expired = page.getByRole("dialog", { name: "确认退出" });
  await expect(expired).toContainText(
    "you have been logged out, you can cancel to stay on this page, or log in again",
  );
  await expect(page.getByText("加载失败")).toHaveCount(2);
  await expect(expired).toHaveCount(1);
  await expired.getByRole("button", { name: "取消" }).click();
  await expect(expired).toHaveCount(0);

  await page.getByRole("button", { name: "新增组别" }).click();
  const dialog = page.getByRole("dialog", { name: "新增组别" });
  await dialog.getByLabel("组别标识").fill("lantern");
  await dialog.getByLabel("名称").fill("元宵红包");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expired.getByRole("button", { name: "Re-Login" }).click();
  await expect(page).toHaveURL(/\/red\/login\?redirect=/);
  await signIn(page, password, seed);

  await expect(dialog.getByText("已恢复上次未保存的内容")).toBeVisible();
  await expect(dialog.getByLabel("组别标识")).toHaveValue("lantern");
  await expect(dialog.getByLabel("名称")).toHaveValue("元宵红包");
  await dialog.getByRole("button", { name: "保存" }).click();
  await expect(dialog).toBeHidden();
  const { operator } = await stage.operator();
  const tags = await operator.data("GET", "/gred/api/extratimes/tags", null);
  expect(textAt(tags, "tags", "lantern")).toBe("元宵红包");
});
