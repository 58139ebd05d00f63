/** Signing in by the page that everybody meets first, and binding the authenticator there. */
import { expect } from "@playwright/test";
import { authenticatorOf } from "../../outside/totp.ts";
import { nextCode } from "./desk.ts";
import type { Desk } from "./desk.ts";

export async function signIn(desk: Desk): Promise<string> {
  const { page, base, admin } = desk;
  await page.goto(`${base}/red/`);
  await expect(page).toHaveURL(/\/red\/login/);
  await page.getByLabel("用户名").fill(admin.username);
  await page.getByLabel("密码", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "登录" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  if (desk.authenticator === null) {
    const secret = await dialog.locator("code").innerText();
    desk.authenticator = authenticatorOf(secret.replaceAll(" ", ""), 0);
    await desk.show("0-sign-in");
  }
  await dialog.getByRole("textbox").fill(await nextCode(desk));
  await expect(page.getByRole("heading", { level: 1, name: "活动管理" })).toBeVisible();
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === "Admin-Token")?.value ?? "";
}
