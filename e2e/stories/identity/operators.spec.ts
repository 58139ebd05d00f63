/** Accounts and keys without a command line: made, reset and rotated by one operator, used by another. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { platformOf } from "../../outside/platform.ts";
import { codeOf, stepAt, wrongCode } from "../../outside/totp.ts";
import { signInAs } from "../form.ts";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

const MADE = "made-by-hand";
const OPERATORS = "/activity_manage/operator";
const OWN = "/activity_manage/own";
const PASSWORD = "a password of their own";

const dialogOf = (page: Page) => page.getByRole("dialog").last();
const enter = (page: Page, code = "") => dialogOf(page).getByRole("textbox").last().fill(code);

/** Confirms the dialog with a recovery code, which needs no clock. */
async function confirm(page: Page, code: string | undefined): Promise<void> {
  await dialogOf(page).getByRole("button", { name: "使用恢复码" }).click();
  await enter(page, code);
}

/** Reads a secret that the dialog shows once, and closes it. */
async function secrets(page: Page): Promise<string[]> {
  const lines = page.locator(".o-secret code");
  await lines.first().waitFor();
  const told = await lines.allTextContents();
  await page.getByRole("button", { name: "我已保存" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  return told;
}

/** Makes ten recovery codes on the own page, with a code of the authenticator. */
async function recoveryCodes(page: Page, seed: string): Promise<string[]> {
  await page.getByRole("button", { name: "生成恢复码" }).click();
  await enter(page, codeOf(seed, stepAt(Date.now()) + 1));
  const codes = await secrets(page);
  expect(codes).toHaveLength(10);
  return codes;
}

/** Fills in the dialog of something new. */
async function fillIn(page: Page, name: string, choice: RegExp | string): Promise<void> {
  await dialogOf(page).getByRole("textbox").first().fill(name);
  await dialogOf(page).getByRole("checkbox", { name: choice }).check();
}

/** Enters name and password in a browser of another person, who asks for their own page. */
async function enterPassword(page: Page, stage: Stage, password: string): Promise<void> {
  await page.goto(`${stage.switchboard.base}/red${OWN}`);
  await expect(page).toHaveURL(/\/red\/login\?redirect=/);
  await signInAs(page, MADE, password);
}

/** Binds the authenticator that the sign-in shows; answers its seed. */
async function bind(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img")).toBeVisible();
  const seed = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
  await enter(page, wrongCode(seed, Date.now()));
  await expect(dialog.getByRole("alert")).toContainText("动态验证码错误");
  await enter(page, codeOf(seed, stepAt(Date.now())));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/red${OWN}$`));
  return seed;
}

async function reset(page: Page, entry: string, code: string | undefined): Promise<void> {
  await page.getByRole("button", { name: `更多操作：${MADE}` }).click();
  await page.getByRole("menuitem", { name: entry }).click();
  await confirm(page, code);
}

test("an operator is made, signs in, is reset, and helps themselves", async ({
  page,
  stage,
  browser,
  contextOptions,
}) => {
  const { seed, token } = await stage.operator("first-admin");
  await openConsole(page, stage, token, OWN);
  const codes = await recoveryCodes(page, seed);

  await openConsole(page, stage, token, OPERATORS);
  await page.getByRole("button", { name: "新增操作员" }).click();
  await dialogOf(page).getByRole("button", { name: "保存" }).click();
  const faults = dialogOf(page).locator(".ant-form-item-explain-error");
  await expect(faults).toHaveText(["Please enter username", "请选择角色"]);
  await fillIn(page, "first-admin", /^客服/);
  await dialogOf(page).getByRole("button", { name: "保存" }).click();
  await expect(faults).toHaveText("已有操作员 first-admin");
  await fillIn(page, MADE, /^客服/);
  await dialogOf(page).getByRole("button", { name: "保存" }).click();
  await confirm(page, codes[0]);
  const [password = ""] = await secrets(page);
  const row = page.getByRole("row", { name: MADE });
  await expect(row).toContainText("客服");
  await expect(row).toContainText("待绑定验证器");

  const theirs = await (await browser.newContext(contextOptions)).newPage();
  await enterPassword(theirs, stage, password);
  await bind(theirs);
  await expect(theirs.getByRole("region", { name: "我的角色" })).toContainText("客服");
  await expect(theirs.getByRole("link", { name: "活动管理", exact: true })).toBeVisible();
  await expect(theirs.getByRole("link", { name: "操作员" })).toHaveCount(0);
  await theirs.goto(`${stage.switchboard.base}/red${OPERATORS}`);
  await expect(theirs.getByText("需要权限：管理操作员")).toBeVisible();

  // A code counts once; the next one ends what they had.
  await reset(page, "重置密码", codes[0]);
  await expect(dialogOf(page).getByRole("alert")).toContainText("恢复码错误");
  await enter(page, codes[1]);
  const [renewed = ""] = await secrets(page);
  await reset(page, "解除验证器", codes[2]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row).toContainText("待绑定验证器");
  await enterPassword(theirs, stage, password);
  await expect(theirs.getByRole("alert").first()).toContainText("密码错误");
  await enterPassword(theirs, stage, renewed);
  const bound = await bind(theirs);

  const own = await recoveryCodes(theirs, bound);
  await theirs.getByLabel("当前密码").fill(password);
  await theirs.getByLabel("新密码", { exact: true }).fill(PASSWORD);
  await theirs.getByLabel("再次输入新密码").fill(PASSWORD);
  await theirs.getByRole("button", { name: "修改密码" }).click();
  await expect(theirs.getByText("当前密码错误")).toHaveCount(1);
  await theirs.getByLabel("当前密码").fill(renewed);
  await theirs.getByRole("button", { name: "修改密码" }).click();
  await confirm(theirs, own[0]);
  await expect(theirs.getByLabel("当前密码")).toHaveValue("");

  await theirs.getByRole("button", { name: MADE }).click();
  await theirs.getByRole("menuitem", { name: "退出登录" }).click();
  await expect(theirs).toHaveURL(/\/red\/login/);
  await enterPassword(theirs, stage, PASSWORD);
  await confirm(theirs, own[0]);
  await expect(theirs.getByRole("dialog").getByRole("alert")).toContainText("恢复码错误");
  await enter(theirs, own[1]);
  await expect(theirs).toHaveURL(new RegExp(`/red${OWN}$`));
  await expect(theirs.getByText("还有 8 个未使用的恢复码")).toBeVisible();
  await theirs.context().close();
});

test("a key is rotated: a lost new secret is replaced, both secrets call until the old one is retired", async ({
  page,
  stage,
}) => {
  const { seed, token } = await stage.operator("key-keeper");
  await openConsole(page, stage, token, OWN);
  const codes = await recoveryCodes(page, seed);
  await openConsole(page, stage, token, "/activity_manage/key?new=1");
  await fillIn(page, "turning", "查询");
  await dialogOf(page).getByRole("button", { name: "保存" }).click();
  await confirm(page, codes[0]);
  const [key = "", old = ""] = await secrets(page);

  const row = page.getByRole("row", { name: "turning" });
  await row.getByRole("button", { name: /^轮换/ }).click();
  await confirm(page, codes[1]);
  const made = (await secrets(page)).at(-1) ?? "";
  await expect(row).toContainText("轮换中");
  const statusOf = async (secret: string) =>
    (await platformOf(stage.switchboard.base, { key, secret }).call("GET", "/open/v1/rounds", null))
      .status;
  expect([await statusOf(old), await statusOf(made)]).toEqual([200, 200]);

  await row.getByRole("button", { name: /^再次轮换/ }).click();
  await confirm(page, codes[2]);
  const again = (await secrets(page)).at(-1) ?? "";
  expect([await statusOf(old), await statusOf(again)]).toEqual([200, 200]);

  await row.getByRole("button", { name: /^停用旧密文/ }).click();
  await confirm(page, codes[3]);
  await expect(row).not.toContainText("轮换中");
  await expect.poll(() => statusOf(old)).toBe(401);
});
