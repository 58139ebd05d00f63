/**
 * `npm run guide [-- NAME …]`: takes the pictures of docs/guide again, all or the named ones, from a demonstration with
 * three days of history. A test checks that the guide has each of them.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { findChromium } from "../../tools/find-chromium.ts";
import { ROOT } from "../../tools/run-command.ts";
import { openDemoStage } from "../stories/demo-stage.ts";
import type { DemoStage } from "../stories/demo-stage.ts";
import { pick } from "../stories/form.ts";
import { ADMIN } from "../stories/stage.ts";
import { openSwitchboard } from "../stories/switchboard.ts";
import { shown } from "../outside/context.ts";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import { operatorOf } from "../outside/operator.ts";
import type { Operator } from "../outside/operator.ts";
import { bindAndSignIn } from "../outside/sign-in.ts";
import { authenticatorOf, stepAt } from "../outside/totp.ts";
import type { Look, Step } from "./places/place.ts";
import { PLACES } from "./places/places.ts";
import { settle, visit } from "./visit.ts";
import { NOTHING } from "./longest-data.ts";
import type { Ids } from "./longest-data.ts";

type Person = Awaited<ReturnType<DemoStage["operator"]>>;

const FOLDER = path.join(ROOT, "docs/guide/pictures");
/** Names of pictures; empty for all. */
const WANTED = process.argv.slice(2);
const VIEWPORT = { width: 1280, height: 760 };
/** Lets the demonstration make draws and payouts of today. */
const LIVE_MS = 20_000;

/** Changes one prize and adds one, so that the import has something to show. */
const FILE = [
  "奖品,奖品额度,权重,奖品总数,是否保底",
  "1.88元红包,1.88,25000,300000,否",
  "28.88元红包,28.88,500,2000,否",
].join("\n");

/** The place of each picture; the rest is appended to its address. */
const PICTURES: Readonly<Record<string, string>> = {
  "sign-in": "login",
  activities: "config",
  "new-round": "activity-edit",
  limits: "activity-edit",
  "copy-round": "activity-copy",
  "pool-grid": "prize-grid",
  overview: "watch",
  board: "watch",
  versions: "versions",
  prizes: "prize",
  import: "prize-import-changes",
  records: "distribution",
  failed: "distribution?award_status=2",
  bell: "bell",
  player: "distribution?player={account}",
  "as-of": "distribution?player={account}",
  "extra-times": "grant",
  exclude: "exclude",
  reconciliation: "reconciliation",
  sheet: "sheet",
  month: "month",
  tags: "tag",
  settings: "settings",
  stop: "stop",
  system: "setting-list",
  operators: "operator",
  own: "own",
  keys: "key",
  approvals: "approval",
  audit: "audit",
  changes: "changes",
};

/** Steps before the picture, after the place has opened. */
const STEPS: Readonly<Record<string, Step>> = {
  "extra-times": async ({ page, ids }) => {
    const accounts = page.getByRole("dialog").getByRole("textbox", { name: "账号" });
    await accounts.fill(`${ids.account}\nnot_registered\n${ids.account}`);
    await page.getByText("没有这些账号").waitFor();
  },
  board: async ({ page }) => {
    await page.getByRole("link", { name: "周末红包雨" }).first().click();
    await page.locator(".w-chart").first().waitFor();
  },
  limits: async ({ page }) => {
    await page.getByRole("textbox", { name: "本活动每人上限" }).fill("10");
    await page.getByRole("textbox", { name: "每人每日上限" }).fill("20");
  },
  exclude: async ({ page, ids }) => {
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("账号（每行一个").fill(`${ids.account}\nnot_registered`);
    await pick(page, dialog.getByLabel("排除类型"), "风控");
    await dialog.getByLabel("原因").fill("多账号，调查中");
    await page.getByText("没有这些账号").waitFor();
  },
  approvals: async ({ page }) => {
    await page
      .getByRole("button", { name: /^展开/ })
      .first()
      .click();
  },
  "as-of": async ({ page }) => {
    await page.getByLabel("截至").fill(shown(Date.now() - LIVE_MS / 2));
    await page.getByLabel("截至").press("Tab");
    await page.getByText("所知道的情况").waitFor();
  },
};

/**
 * A round of yesterday with many draws, a prize with another weight than it had, and a player with a refused payout;
 * others of the kind are sent again.
 */
async function subjects({ data, prizes }: Operator): Promise<Ids> {
  const yesterday = shown(Date.now() - 86_400_000).slice(0, 10);
  const named = encodeURIComponent("周末红包雨");
  const rounds = await data(
    "GET",
    `/gred/api/act/list?start_date=${yesterday}&rounds_name=${named}&page=1&size=9`,
    null,
  );
  const failed = await data("GET", "/gred/api/record/list?award_status=2&page=1&size=9", null);
  const pools = await data("GET", "/gred/api/pool", null);
  const others = listAt(failed, "content").slice(1);
  const log_ids = others.map((record) => numberAt(record, "log_id"));
  await data("POST", "/gred/api/record/reissue", { log_ids });
  const [prize] = await prizes(textAt(dig(pools, "content", 0), "pool_name"));
  const id = numberAt(prize, "id");
  const { drawn: _, remaining: __, ...fields } = Object(prize);
  await data("PUT", `/gred/api/prize/${id}`, { ...fields, weight: numberAt(prize, "weight") + 40 });
  await data("PUT", `/gred/api/prize/${id}/stock`, { add: 200 });
  return {
    ...NOTHING,
    prize: id,
    round: numberAt(dig(rounds, "content", 0), "id"),
    pool: numberAt(dig(pools, "content", 0), "id"),
    account: textAt(dig(failed, "content", 0), "user_name"),
    goodFile: FILE,
  };
}

/** Makes a team: `wangli` grants a draw that `chenjing` has to approve. Answers `chenjing`'s token. */
async function team(demo: DemoStage, boss: Person, { account }: Ids): Promise<string> {
  const first = await bindAndSignIn(demo.base, ADMIN.username, ADMIN.password);
  const code = await authenticatorOf(first.seed, stepAt(Date.now())).code();
  const body = { name: "chenjing", roles: ["admin"] };
  const { data } = operatorOf(demo.base, first.token);
  const made = await data("POST", "/gred/api/operator", body, code);
  const { token } = await bindAndSignIn(demo.base, body.name, textAt(made, "password"));
  await demo.redctl("admin create zhaolei --roles finance,viewer --json");
  const maker = await demo.operator("wangli");
  await boss.operator.data("PUT", "/gred/api/setting/band_second", { value: "0.00" });
  await fetch(`${demo.base}/gred/api/extratimes`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      token: maker.token,
      "x-reason": encodeURIComponent("补偿昨晚的故障"),
    },
    body: JSON.stringify({
      user_name: account,
      tag: "weekend",
      expire_time: shown(Date.now() + 3 * 86_400_000),
    }),
  });
  return token;
}

/** Takes the picture of a place; answers its size in bytes. */
async function take(look: Look, name: string, wanted: string): Promise<number> {
  const [of = "", more = ""] = wanted.split("?");
  const place = PLACES.find((one) => one.name === of);
  if (place === undefined) {
    throw new Error(`there is no place ${of}`);
  }
  await visit(look, { ...place, at: more === "" ? place.at : `${place.at}?${more}` });
  await STEPS[name]?.(look);
  await settle(look.page);
  const file = path.join(FOLDER, `${name}.png`);
  await look.page.screenshot({ path: file });
  process.stdout.write(`${name}\n`);
  return statSync(file).size;
}

const folder = mkdtempSync(path.join(tmpdir(), "red-guide-"));
mkdirSync(FOLDER, { recursive: true });
const demo = await openDemoStage(folder, 3);
const stage = { ...demo, switchboard: await openSwitchboard(demo.base) };
try {
  const boss = await demo.operator("xiaolin");
  await sleep(LIVE_MS);
  const ids = await subjects(boss.operator);
  const second = await team(demo, boss, ids);
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  let bytes = 0;
  for (const [name, wanted] of Object.entries(PICTURES)) {
    if (WANTED.length === 0 || WANTED.includes(name)) {
      const page = await browser.newPage({
        locale: "zh-CN",
        timezoneId: "Asia/Shanghai",
        viewport: VIEWPORT,
        reducedMotion: "reduce",
      });
      const token = name === "sign-in" ? null : name === "approvals" ? second : boss.token;
      bytes += await take({ page, stage, ids, token }, name, wanted);
      await page.close();
    }
  }
  await browser.close();
  process.stdout.write(`${Math.round(bytes / 1000)} kB in ${FOLDER}\n`);
} finally {
  await stage.switchboard.close();
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
}
