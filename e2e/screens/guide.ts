/**
 * `npm run guide [-- NAME …]`: takes the pictures of docs/guide anew, all or the named ones, from the
 * demonstration with three days behind it. The guide names them; a test holds that each is there.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import type { BrowserContextOptions, Page } from "@playwright/test";
import { findChromium } from "../../tools/find-chromium.ts";
import { ROOT } from "../../tools/run-command.ts";
import { openDemoStage } from "../stories/demo-stage.ts";
import { shown } from "../outside/context.ts";
import { listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";

const FOLDER = path.join(ROOT, "docs/guide/pictures");
/** Names of pictures; none stands for all. */
const WANTED = process.argv.slice(2);
const VIEWPORT = { width: 1280, height: 760 };
/** For the demonstration to have draws and payouts of today. */
const LIVE_MS = 20_000;
const READY_MS = 60_000;

/** Nothing is shown in place of what is still to come, and nothing moves. */
const READY = `document.querySelector("h1, [role=dialog]") !== null &&
  document.querySelector(".k-skeleton, .k-bar-on") === null &&
  document.getAnimations().every((one) => one.playState !== "running")`;

interface Picture {
  readonly name: string;
  readonly address: string;
  /** What is done on the page before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
}

async function rest(page: Page): Promise<void> {
  const late = Date.now() + READY_MS;
  while (!(await page.evaluate(READY)) && Date.now() < late) {
    await sleep(200);
  }
}

/** Opens what a button of the bar opens. */
async function open(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

/** More of one prize, and a new one: what the import would change is shown. */
async function chooseFile(page: Page): Promise<void> {
  const rows = [
    "奖品,奖品额度,权重,奖品总数,是否保底",
    "1.88元红包,1.88,25000,300000,否",
    "28.88元红包,28.88,500,2000,否",
  ];
  const file = { name: "prizes.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\n")) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("dialog").getByRole("table").first().waitFor();
}

/** A round of yesterday with many draws, a player with a refused payout. */
async function subjects(operator: Operator): Promise<{ round: number; player: string }> {
  const yesterday = shown(Date.now() - 86_400_000).slice(0, 10);
  const path = `/gred/api/act/list?start_date=${yesterday}&rounds_name=${encodeURIComponent("周末红包雨")}&page=1&size=9`;
  const rounds = listAt(await operator.data("GET", path, null), "content");
  const failed = await operator.data(
    "GET",
    "/gred/api/record/list?award_status=2&page=1&size=9",
    null,
  );
  const [record] = listAt(failed, "content");
  return { round: numberAt(rounds[0], "id"), player: textAt(record, "user_name") };
}

function pictures(round: number, player: string): Picture[] {
  const base = "/activity_manage";
  return [
    { name: "activities", address: `${base}/config` },
    { name: "new-round", address: `${base}/config?edit=${round}` },
    { name: "copy-round", address: `${base}/config?copy=${round}` },
    { name: "prizes", address: `${base}/prize` },
    { name: "import", address: `${base}/prize?import=1`, act: chooseFile },
    { name: "records", address: `${base}/distribution` },
    { name: "failed", address: `${base}/distribution?award_status=2` },
    { name: "player", address: `${base}/distribution?player=${player}` },
    {
      name: "extra-times",
      address: `${base}/add_num?grant=1`,
      act: async (page) => {
        const accounts = page.getByRole("dialog").getByRole("textbox", { name: "账号" });
        await accounts.fill(`${player}\nnot_registered\n${player}`);
        await page.getByText("没有这些账号").waitFor();
      },
    },
    { name: "reconciliation", address: `${base}/reconciliation` },
    { name: "sheet", address: `${base}/sheet?rounds_id=${round}` },
    { name: "tags", address: `${base}/tag` },
    {
      name: "settings",
      address: `${base}/config`,
      act: (page) => open(page, "界面设置"),
    },
    {
      name: "stop",
      address: `${base}/config`,
      act: (page) => open(page, "全部暂停"),
    },
  ];
}

async function take(page: Page, base: string, { name, address, act }: Picture): Promise<number> {
  if (WANTED.length > 0 && !WANTED.includes(name)) {
    return 0;
  }
  await page.goto(`${base}/red${address}`, { waitUntil: "networkidle" });
  await rest(page);
  await act?.(page);
  await rest(page);
  const file = path.join(FOLDER, `${name}.png`);
  await page.screenshot({ path: file });
  process.stdout.write(`${name}\n`);
  return statSync(file).size;
}

const folder = mkdtempSync(path.join(tmpdir(), "red-guide-"));
mkdirSync(FOLDER, { recursive: true });
const stage = await openDemoStage(folder, 3);
try {
  const { operator, token } = await stage.operator("xiaolin");
  await sleep(LIVE_MS);
  const { round, player } = await subjects(operator);
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const options: BrowserContextOptions = {
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: VIEWPORT,
    reducedMotion: "reduce",
  };
  const outside = await browser.newContext(options);
  let bytes = await take(await outside.newPage(), stage.base, {
    name: "sign-in",
    address: "/login",
  });
  const inside = await browser.newContext(options);
  await inside.addCookies([{ name: "Admin-Token", value: token, url: stage.base }]);
  const page = await inside.newPage();
  for (const picture of pictures(round, player)) {
    bytes += await take(page, stage.base, picture);
  }
  await browser.close();
  process.stdout.write(`${Math.round(bytes / 1000)} kB in ${FOLDER}\n`);
} finally {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
}
