/** Story 1: an operator binds an authenticator, signs in, and lands on the requested page. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { codeOf, stepAt } from "../outside/totp.ts";
import { signInAs } from "./form.ts";
import { ADMIN, test } from "./stage.ts";

const ASKED = "/red/activity_manage/distribution?award_status=2";

const enterName = (page: Page) => signInAs(page, ` ${ADMIN.username} `, ADMIN.password);

const codeField = (page: Page) => page.getByRole("dialog").getByRole("textbox");

test("bind, land on the page asked for, and be asked for a code from then on", async ({
  page,
  stage,
}) => {
  // Another story may have bound an authenticator to the account.
  await stage.redctl(`admin reset-totp ${ADMIN.username} --json`);
  await page.goto(stage.switchboard.base + ASKED);
  await expect(page).toHaveURL(/\/red\/login\?redirect=/);
  await enterName(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img")).toBeVisible();
  const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
  expect(secret).toMatch(/^[A-Z2-7]{16,}$/);

  await codeField(page).fill(codeOf(secret, stepAt(Date.now())));
  await expect(page).toHaveURL(stage.switchboard.base + ASKED);
  await expect(page.getByRole("heading", { level: 1, name: "发放记录" })).toBeVisible();

  await page.getByRole("button", { name: ADMIN.username }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/red\/login/);
  await enterName(page);
  await codeField(page).fill("000000");
  await expect(page.getByRole("alert")).toContainText("动态验证码错误");
});
