/** Story 1: an operator binds an authenticator, signs in, and lands on the requested page. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { dig, listAt, parsed } from "../outside/json.ts";
import { codeOf, stepAt } from "../outside/totp.ts";
import { ADMIN, test } from "./stage.ts";
import type { Stage } from "./stage.ts";

const ASKED = "/red/activity_manage/distribution?award_status=2";

async function enterName(page: Page): Promise<void> {
  await page.getByLabel("用户名").fill(` ${ADMIN.username} `);
  await page.getByLabel("密码", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: "登录" }).click();
}

const codeField = (page: Page) => page.getByRole("dialog").getByRole("textbox");

async function bound(stage: Stage): Promise<boolean> {
  const { out } = await stage.redctl("admin list --json");
  const mine = listAt(parsed(out)).find((operator) => dig(operator, "name") === ADMIN.username);
  return dig(mine, "bound") === true;
}

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
  expect(await bound(stage)).toBe(false);

  await codeField(page).fill(codeOf(secret, stepAt(Date.now())));
  await expect(page).toHaveURL(stage.switchboard.base + ASKED);
  await expect(page.getByRole("heading", { level: 1, name: "发放记录" })).toBeVisible();
  expect(await bound(stage)).toBe(true);

  await page.getByRole("button", { name: ADMIN.username }).click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/\/red\/login/);
  await enterName(page);
  await codeField(page).fill("000000");
  await expect(page.getByRole("alert")).toContainText("动态验证码错误");
});
