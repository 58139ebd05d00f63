/** The console's pages, one line per route that shows something. */
import type { Needs } from "@red/contract/approvals/guard";
import { shown } from "../../outside/context.ts";
import { parsed, textAt } from "../../outside/json.ts";
import { bindAndSignIn } from "../../outside/sign-in.ts";
import {
  all,
  answer,
  click,
  confirmDialog,
  dialogOf,
  enterCode,
  named,
  submitEmpty,
} from "./place.ts";
import type { Look, Place, Step } from "./place.ts";

const BASE = "/activity_manage";

const list = ({ page }: Look) => page.getByRole("main");

/** Reloads the page's lists. */
const refresh: Step = async (look) => {
  const buttons = list(look).getByRole("button", { name: named("刷新", "Refresh") });
  for (const button of await buttons.all()) {
    await button.click();
  }
};

const query = click("查询", "Search");

/** Enters a name and a password on the sign-in page. */
export function enterPassword(name: string, password: string): Step {
  return async (look) => {
    await look.page.getByLabel(named("用户名", "User")).fill(name);
    await look.page.getByLabel(/^(?:密码|Password)$/).fill(password);
    await click("登录", "Sign in")(look);
  };
}

let accounts = 0;

/** Signs a new account in up to the code, with its authenticator bound already or not. */
function logIn(isBound: boolean): Step {
  return async (look) => {
    accounts += 1;
    const name = `screens-${process.pid}-${accounts}`;
    const { out } = await look.stage.redctl(`admin create ${name} --json`);
    const password = textAt(parsed(out), "password");
    if (isBound) {
      await bindAndSignIn(look.stage.switchboard.base, name, password);
    }
    await enterPassword(name, password)(look);
    await look.page.getByRole("dialog").waitFor();
  };
}

/** Runs a step while the console's files cannot be loaded. */
function lost(step: Step, seen: string): Step {
  return async (look) => {
    look.stage.switchboard.lose("/red/assets/");
    await step(look);
    await look.page.locator(seen).waitFor();
    look.stage.switchboard.lose(null);
  };
}

/** A change that waits for the user. */
const WAITING = {
  id: 1,
  state: "waiting",
  made_kind: "operator",
  made_by: "operator-with-quite-a-long-name",
  made_at: "2026-11-20 20:00:00",
  expires_at: "2026-11-21 20:00:00",
  reason: "a reason",
  risk: "9999999999.99",
  risked: "9999999999.99",
  plan: [],
  decided_by: null,
  decided_at: null,
  note: null,
  barred: null,
};

/** All that a change may take. */
const NEEDS = {
  code: true,
  recovery: true,
  reason: true,
  second: true,
  risk: "9999999999.99",
  risked: "4000.00",
  code_above: "9999999999.99",
  pools: ["a-pool-with-quite-a-long-name", "another-pool-with-a-long-name"].map((pool_name) => {
    return {
      pool_name,
      cost_before: "0.01",
      cost_after: "9999.99",
      draws_hour: 99_999,
    };
  }),
} satisfies Needs;

const nameAndChoose: Step = async (look) => {
  const dialog = dialogOf(look);
  await dialog.getByRole("textbox").fill("one-more");
  await dialog.getByRole("checkbox").first().check();
  await confirmDialog(look);
};

export const PAGE_PLACES: readonly Place[] = [
  {
    name: "login",
    at: "/login",
    outside: true,
    bare: true,
    fail: enterPassword("nobody", "not a password"),
  },
  {
    name: "login-missing",
    at: "/login",
    outside: true,
    open: all(click("登录", "Sign in"), ({ page }) =>
      page.locator("[aria-invalid=true]").first().waitFor(),
    ),
  },
  {
    name: "login-bind",
    at: "/login",
    outside: true,
    open: logIn(false),
    dialogs: ["identity/login-code-dialog.tsx"],
    fail: enterCode,
  },
  { name: "login-code", at: "/login", outside: true, open: logIn(true), fail: enterCode },
  { name: "auth-redirect", at: "/auth-redirect", outside: true, bare: true },
  {
    name: "page-failed",
    at: `${BASE}/tag`,
    open: lost(
      ({ page }) => page.evaluate(`history.pushState({}, "", "/red${BASE}/sheet")`),
      ".e-page",
    ),
  },
  {
    name: "part-lost",
    at: `${BASE}/tag`,
    open: lost(click("界面设置", "Display settings"), "[role=dialog]"),
    dialogs: ["forms/load-failed-dialog.tsx"],
  },
  { name: "404", at: "/404", bare: true },
  { name: "401", at: "/401?permission=pool.write", bare: true },
  { name: "watch", at: "/overview", bare: true },
  { name: "watch-board", at: "/overview/{round}" },
  {
    name: "watch-table",
    at: "/overview/{round}",
    open: click("每分钟抽奖 表格", "Draws per minute Table"),
  },
  { name: "config", at: `${BASE}/config`, bare: true, fail: refresh },
  { name: "prize", at: `${BASE}/prize?pool={pool}`, bare: true, fail: refresh },
  { name: "query", at: `${BASE}/query{query}`, bare: true, fail: refresh },
  { name: "distribution", at: `${BASE}/distribution`, bare: true, fail: refresh },
  {
    name: "distribution-attempts",
    at: `${BASE}/distribution`,
    open: answer("展开 ", "Expand ", list),
  },
  {
    name: "distribution-selected",
    at: `${BASE}/distribution`,
    open: ({ page }) => page.getByRole("checkbox").first().check(),
  },
  { name: "deposits", at: `${BASE}/deposit_bet?tab=0`, bare: true, fail: refresh },
  { name: "bets", at: `${BASE}/deposit_bet?tab=1`, bare: true, fail: refresh },
  { name: "record", at: `${BASE}/record`, bare: true },
  { name: "add-num", at: `${BASE}/add_num`, bare: true, fail: refresh },
  { name: "add-num-account", at: `${BASE}/add_num?user_name={account}` },
  { name: "exclusion", at: `${BASE}/exclusion`, bare: true, fail: refresh },
  { name: "webhook", at: `${BASE}/webhook`, bare: true, fail: refresh },
  {
    name: "webhook-selected",
    at: `${BASE}/webhook`,
    open: ({ page }) => page.getByRole("checkbox").first().check(),
  },
  { name: "audit", at: `${BASE}/audit`, bare: true, fail: refresh },
  { name: "approval", at: `${BASE}/approval`, bare: true, fail: refresh },
  {
    name: "approval-refuse",
    at: `${BASE}/approval`,
    above: true,
    open: async (look) => {
      look.stage.switchboard.swallow("GET /gred/api/approval", { content: [WAITING], total: 1 });
      await refresh(look);
      await click("拒绝", "Refuse")(look);
      look.stage.switchboard.swallow(null);
    },
    fail: submitEmpty,
  },
  { name: "operator", at: `${BASE}/operator`, bare: true, fail: refresh },
  {
    name: "operator-new",
    at: `${BASE}/operator?new=1`,
    dialogs: ["identity/operator-page.tsx", "identity/choices-dialog.tsx"],
    above: true,
    fail: nameAndChoose,
  },
  {
    name: "operator-sessions",
    at: `${BASE}/operator`,
    open: click("会话", "Sessions"),
    above: true,
  },
  {
    name: "operator-disable",
    at: `${BASE}/operator`,
    open: ({ page }) =>
      page
        .getByRole("button", { name: /^(?:更多操作|More for)/, disabled: false })
        .last()
        .click(),
  },
  { name: "key", at: `${BASE}/key`, bare: true, fail: refresh },
  {
    name: "key-new",
    at: `${BASE}/key?new=1`,
    above: true,
    dialogs: ["identity/operator-acts.tsx"],
    fail: nameAndChoose,
  },
  { name: "own", at: `${BASE}/own`, bare: true, fail: refresh },
  {
    name: "own-codes",
    at: `${BASE}/own`,
    dialogs: ["identity/secret-dialog.tsx"],
    open: async (look) => {
      const codes = Array.from({ length: 10 }, (_, at) => `recove-codes${"abcdefghij".charAt(at)}`);
      look.stage.switchboard.swallow("POST /gred/api/own/recovery", { codes });
      await click("生成恢复码", "Make recovery codes")(look);
      await look.page.locator(".o-secret").waitFor();
      look.stage.switchboard.swallow(null);
    },
  },
  {
    name: "own-proof",
    at: `${BASE}/own`,
    above: true,
    open: async (look) => {
      const refused = { code: 409, msg: "", key: "proof_needed" };
      look.stage.switchboard.swallow("POST /gred/api/own/recovery", { needs: NEEDS }, refused);
      await click("生成恢复码", "Make recovery codes")(look);
      await look.page.getByRole("dialog").waitFor();
      look.stage.switchboard.swallow(null);
    },
  },
  { name: "setting-list", at: `${BASE}/settings`, bare: true, fail: refresh },
  {
    name: "setting-change",
    at: `${BASE}/settings`,
    open: ({ page }) => page.getByRole("switch").first().click(),
    dialogs: ["approvals/setting-page.tsx"],
  },
  { name: "tag", at: `${BASE}/tag`, bare: true, fail: refresh },
  { name: "reconciliation", at: `${BASE}/reconciliation`, bare: true, fail: refresh },
  { name: "sheet", at: `${BASE}/sheet?rounds_id={round}`, bare: true, fail: query },
  { name: "sheet-choose", at: `${BASE}/sheet` },
  {
    name: "month",
    at: `${BASE}/month?month=${shown(Date.now()).slice(0, 7)}`,
    bare: true,
    fail: ({ page }) => page.keyboard.press("r"),
  },
  { name: "sheet-signed", at: `${BASE}/sheet?rounds_id={ended}` },
];
