/** The login page, and who may see what (spec §2, §4, §5). */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { textAt } from "../../outside/json.ts";
import { operatorCall } from "../../outside/operator.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import type { Scene, States } from "./scene.ts";

const LOG_IN = { name: "登录", exact: true };

async function enter(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel("用户名").fill(name);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", LOG_IN).click();
}

/** Binds an authenticator to a new account; answers the secret that its codes come from. */
async function boundAccount(scene: Scene) {
  const { name, password } = await scene.account();
  const base = scene.stage.switchboard.base;
  const body = { username: name, password, pid: "2" };
  const asked = await operatorCall(base, "POST", "/oauth/login", body);
  const secret = textAt(asked.data, "secret");
  const code = codeOf(secret, stepAt(Date.now()));
  await operatorCall(base, "POST", "/oauth/login", { ...body, code, secret });
  return { name, password, secret };
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByRole("dialog").getByRole("textbox").fill(code);
}

async function signIn(scene: Scene, route: string, landing: RegExp): Promise<Page> {
  const { name, password, secret } = await boundAccount(scene);
  const page = await scene.visit(route);
  await enter(page, `  ${name} `, password);
  // The code of binding is spent; the next one is accepted a step early.
  await enterCode(page, codeOf(secret, stepAt(Date.now()) + 1));
  await page.waitForURL(landing);
  return page;
}

export const loginStates: States = {
  opened: (scene) => scene.visit("/login"),
  "nothing entered": async (scene) => {
    const page = await scene.visit("/login");
    await page.getByRole("button", LOG_IN).click();
    return page;
  },
  "only blanks for a name": async (scene) => {
    const page = await scene.visit("/login");
    await enter(page, "   ", "something");
    return page;
  },
  "no password": async (scene) => {
    const page = await scene.visit("/login");
    await enter(page, "somebody", "");
    return page;
  },
  "wrong password": async (scene) => {
    const page = await scene.visit("/login");
    await enter(page, "nobody-of-this-name", "something");
    return page;
  },
  "account not bound": async (scene) => {
    const { name, password } = await scene.account();
    const page = await scene.visit("/login");
    await enter(page, name, password);
    return page;
  },
  "account bound": async (scene) => {
    const { name, password } = await boundAccount(scene);
    const page = await scene.visit("/login");
    await enter(page, name, password);
    return page;
  },
  "wrong code": async (scene) => {
    const { name, password } = await boundAccount(scene);
    const page = await scene.visit("/login");
    await enter(page, name, password);
    await enterCode(page, "000000");
    return page;
  },
  "signed in": (scene) => signIn(scene, "/login", /activity_manage/),
  "signed in where a page was asked for": (scene) =>
    signIn(scene, "/activity_manage/prize?pool=-1", /prize/),
};

export const guardStates: States = {
  "signed out": (scene) => scene.visit("/login"),
  "signed in": (scene) => scene.open("/activity_manage/config"),
  "token that is none": async (scene) => {
    const page = await scene.visit("/login");
    const { hostname } = new URL(page.url());
    const cookie = { name: "Admin-Token", value: "garbage", domain: hostname, path: "/" };
    await page.context().addCookies([cookie]);
    await page.goto(page.url().replace("/login", "/activity_manage/prize"));
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  },
  "session unknown": async (scene) => {
    // Of an account of its own: the session is over afterwards.
    const { operator, token } = await scene.stage.operator(scene.fresh("fact-ended-"));
    const page = await scene.open("/activity_manage/config");
    await page.getByRole("table").waitFor();
    await scene.holdToken(token);
    await operator.data("POST", "/gred/api/logout", {});
    await page.getByRole("button", { name: "查询", exact: true }).click();
    await page.waitForURL(/login/);
    return page;
  },
  "session ended by somebody else": async (scene) => {
    const page = await scene.open("/activity_manage/config");
    await page.getByRole("table").waitFor();
    await scene.holdToken("garbage");
    await page.getByRole("button", { name: "查询", exact: true }).click();
    return page;
  },
  "re-login chosen": async (scene) => {
    const page = await scene.open("/activity_manage/prize");
    await page.getByRole("table").waitFor();
    await scene.holdToken("garbage");
    const again = page.getByRole("button", { name: "Re-Login" });
    // A list that is still on its way is not asked for twice; the key would answer a question that is there.
    await expect(async () => {
      if (!(await again.isVisible())) {
        await page.getByRole("button", { name: "刷新", exact: true }).press("Enter");
      }
      await again.waitFor({ timeout: scene.step_ms / 4 });
    }).toPass({ timeout: scene.step_ms });
    // The page is loaded anew while the click is still being reported.
    await again.dispatchEvent("click");
    await page.waitForURL(/login/);
    return page;
  },
  "helper window closed": async (scene) => {
    const page = await scene.visit("/login");
    const opening = page.waitForEvent("popup");
    await page.evaluate('void window.open("/red/auth-redirect?code=fact&state=1")');
    const helper = await opening;
    if (!helper.isClosed()) {
      await helper.waitForEvent("close");
    }
    return page;
  },
};
