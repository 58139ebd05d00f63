/** The console's pages, one line for each route that shows something. */
import { parsed, textAt } from "../outside/json.ts";
import { bindOperator } from "../stories/stage.ts";
import { click, enterCode, named } from "./place.ts";
import type { Look, Place } from "./place.ts";

/** Asks for the page's lists again. */
async function refresh({ page }: Look): Promise<void> {
  for (const button of await page
    .getByRole("main")
    .getByRole("button", { name: named("刷新", "Refresh") })
    .all()) {
    await button.click();
  }
}

async function query({ page }: Look): Promise<void> {
  await page
    .getByRole("button", { name: named("查询", "Search") })
    .first()
    .click();
}

async function openFirst({ page }: Look): Promise<void> {
  const expanders = page.getByRole("main").getByRole("button", { name: named("展开 ", "Expand ") });
  await expanders.first().click();
}

async function enterPassword({ page }: Look, name: string, password: string): Promise<void> {
  await page.getByLabel(named("用户名", "User")).fill(name);
  await page.getByLabel(/^(?:密码|Password)$/).fill(password);
  await page.getByRole("button", { name: named("登录", "Sign in") }).click();
}

let accounts = 0;

/** Signs in as far as the code; with the authenticator bound before, or to be bound now. */
async function logIn(look: Look, isBound: boolean): Promise<void> {
  const { page, stage } = look;
  accounts += 1;
  const name = `screens-${accounts}`;
  const { out } = await stage.redctl(`admin create ${name} --json`);
  const password = textAt(parsed(out), "password");
  if (isBound) {
    await bindOperator(stage.switchboard.base, name, password);
  }
  await enterPassword(look, name, password);
  await page.getByRole("dialog").waitFor();
}

export const PAGE_PLACES: readonly Place[] = [
  {
    name: "login",
    route: "/login",
    outside: true,
    bare: true,
    fail: (look) => enterPassword(look, "nobody", "not a password"),
  },
  {
    name: "login-missing",
    route: "/login",
    outside: true,
    open: async ({ page }) => {
      await page.getByRole("button", { name: named("登录", "Sign in") }).click();
      await page.locator("[aria-invalid=true]").first().waitFor();
    },
  },
  {
    name: "login-bind",
    route: "/login",
    outside: true,
    open: (look) => logIn(look, false),
    dialogs: ["features/login/code-dialog.tsx"],
    fail: enterCode,
  },
  {
    name: "login-code",
    route: "/login",
    outside: true,
    open: (look) => logIn(look, true),
    fail: enterCode,
  },
  { name: "auth-redirect", route: "/auth-redirect", outside: true, bare: true },
  {
    name: "page-failed",
    route: "/activity_manage/tag",
    open: async ({ page, stage }) => {
      stage.switchboard.lose("/red/assets/");
      await page.evaluate('history.pushState({}, "", "/red/activity_manage/sheet")');
      await page.locator(".e-page").waitFor();
      stage.switchboard.lose(null);
    },
  },
  {
    name: "part-lost",
    route: "/activity_manage/tag",
    open: async (look) => {
      look.stage.switchboard.lose("/red/assets/");
      await click("界面设置", "Display settings")(look);
      await look.page.getByRole("dialog").waitFor();
      look.stage.switchboard.lose(null);
    },
    dialogs: ["forms/lost-dialog.tsx"],
  },
  { name: "404", route: "/404", bare: true },
  { name: "401", route: "/401", search: () => "?permission=pool.write", bare: true },
  { name: "config", route: "/activity_manage/config", bare: true, fail: refresh },
  {
    name: "prize",
    route: "/activity_manage/prize",
    search: ({ pool }) => `?pool=${pool}`,
    bare: true,
    fail: refresh,
  },
  {
    name: "query",
    route: "/activity_manage/query",
    search: ({ query: filter }) => filter,
    bare: true,
    fail: refresh,
  },
  {
    name: "distribution",
    route: "/activity_manage/distribution",
    bare: true,
    fail: refresh,
  },
  { name: "distribution-attempts", route: "/activity_manage/distribution", open: openFirst },
  {
    name: "distribution-selected",
    route: "/activity_manage/distribution",
    open: async ({ page }) => {
      await page.getByRole("checkbox").first().check();
    },
  },
  {
    name: "deposits",
    route: "/activity_manage/deposit_bet",
    bare: true,
    fail: refresh,
  },
  {
    name: "bets",
    route: "/activity_manage/deposit_bet",
    search: () => "?tab=1",
    bare: true,
    fail: refresh,
  },
  { name: "record", route: "/activity_manage/record", bare: true },
  { name: "add-num", route: "/activity_manage/add_num", bare: true, fail: refresh },
  {
    name: "add-num-account",
    route: "/activity_manage/add_num",
    search: ({ account }) => `?user_name=${account}`,
  },
  { name: "tag", route: "/activity_manage/tag", bare: true, fail: refresh },
  { name: "reconciliation", route: "/activity_manage/reconciliation", bare: true, fail: refresh },
  {
    name: "sheet",
    route: "/activity_manage/sheet",
    search: ({ round }) => `?rounds_id=${round}`,
    bare: true,
    fail: query,
  },
  { name: "sheet-choose", route: "/activity_manage/sheet" },
  {
    name: "sheet-signed",
    route: "/activity_manage/sheet",
    search: ({ ended }) => `?rounds_id=${ended}`,
  },
];
