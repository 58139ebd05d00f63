/**
 * `npm run bench -- web [--runs N]`: the console's weight on the wire, and the time of its commonest acts compared with a
 * plain antd page with the same table and form (bench/web), in the same browser, in turn. Prints both; the last line is
 * JSON. Exit code 1 when a limit of bench/README.md is exceeded.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "@playwright/test";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { openDemoStage } from "../e2e/stories/demo-stage.ts";
import type { DemoStage } from "../e2e/stories/demo-stage.ts";
import { shown } from "../e2e/outside/context.ts";
import type { Operator } from "../e2e/outside/operator.ts";
import { inFlight } from "../e2e/outside/platform.ts";
import { freePort } from "../e2e/outside/server.ts";
import { findChromium } from "../tools/find-chromium.ts";
import { installed, ROOT, runCommand } from "../tools/run-command.ts";
import { conclude, inPairs, median, ratio, RUNS, say } from "./report.ts";
import { start, stop } from "./sides.ts";
import { ACTS, GROUP_SIZE, groupName, showAll } from "./web-pairs.ts";

/** Not counted: the first runs also compile scripts. */
const WARM_UPS = 2;

const LISTS = [
  "config",
  "prize",
  "query",
  "distribution",
  "deposit_bet",
  "record",
  "add_num",
  "tag",
  "reconciliation",
  "sheet",
] as const;

/** A full page of rounds for every run and one more, all on one pool of the demonstration. */
async function makeRounds(operator: Operator): Promise<void> {
  const now = Date.now();
  const [from, until] = [shown(now), shown(now + 3_600_000)];
  const names = Array.from({ length: RUNS + WARM_UPS + 1 }, (_, group) =>
    Array.from({ length: GROUP_SIZE }, (__, at) => `${groupName(group)} 场 ${at + 1}`),
  ).flat();
  await inFlight(names, 4, async (rounds_name) => {
    await operator.data("POST", "/gred/api/act", {
      rounds_name,
      tag: "weekend",
      red_code: "RED_PACKET",
      pool_name: "周末池",
      condition_name: "2",
      condition_formula: "1",
      condition_type: "2",
      condition_value: "120",
      condition_times: 1,
      turnover: 3,
      start_time: from,
      end_time: until,
      achieve_start_time: from,
      achieve_end_time: until,
    });
  });
}

/** Builds the plain page and serves it under `/plain/`; passes every other call to the server at `behind`. */
async function openFront(folder: string, behind: string) {
  const web = path.join(ROOT, "bench/web");
  const vite = installed("vite");
  const words = ["build", web, "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"];
  const { code, output } = await runCommand(process.execPath, [vite, ...words]);
  if (code !== 0) {
    throw new Error(`the plain page could not be built:\n${output}`);
  }
  const port = await freePort();
  const where = ["preview", web, "--outDir", folder, "--port", String(port), "--strictPort"];
  const front = start([vite, ...where], { ...process.env, BENCH_BEHIND: behind });
  // Lines until the address, which stands in the last one.
  while (!(await front.ask()).includes(String(port))) {}
  return { front, base: `http://127.0.0.1:${port}` };
}

/** How long a page at rest is watched for requests. */
const REST_MS = 3_000;

/** A heading or rows are shown, and no placeholder. */
const READY = `document.querySelector("h1, tbody tr.ant-table-row") !== null &&
  document.querySelector(".k-skeleton, .k-bar-on, .ant-spin-spinning") === null`;

const READY_MS = 60_000;

const LCP = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})`;

/**
 * Opens `url` with an empty cache and the cookies of `options`: bytes on the wire, with headers, until the page rests,
 * scripts and styles requested after that, and the largest contentful paint, in ms from the start.
 */
async function weigh(browser: Browser, options: BrowserContextOptions, url: string) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  let atRest = false;
  const prefetched: string[] = [];
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests += 1;
  });
  wire.on("Network.requestWillBeSent", ({ type, request }) => {
    if (atRest && (type === "Script" || type === "Stylesheet" || type === "Prefetch")) {
      prefetched.push(request.url);
    }
  });
  await page.goto(url, { waitUntil: "networkidle" });
  // On a busy machine the page may still compute while nothing is transferred.
  const late = Date.now() + READY_MS;
  while (!(await page.evaluate(READY))) {
    if (Date.now() > late) {
      throw new Error(`${url} did not come to rest`);
    }
    await page.waitForTimeout(100);
  }
  await page.waitForLoadState("networkidle");
  atRest = true;
  const lcpMs = Number(await page.evaluate(LCP));
  await page.waitForTimeout(REST_MS);
  await context.close();
  return { bytes, requests, prefetched, lcpMs };
}

/** Weighs the first visit of each page at `base`; names what a page at rest asked for. */
async function weighAll(browser: Browser, base: string, signedIn: BrowserContextOptions) {
  const look = async (name: string, options: BrowserContextOptions) => {
    const address = name === "login" ? name : `activity_manage/${name}`;
    const seen = await weigh(browser, options, `${base}/red/${address}`);
    const kb = Math.round(seen.bytes / 100) / 10;
    const [requests, lcp] = [String(seen.requests).padStart(3), Math.round(seen.lcpMs)];
    say(`${`${kb} kB`.padStart(9)}  ${requests} requests  LCP ${lcp} ms  ${name}`);
    seen.prefetched.forEach((file) => say(`${name} at rest asks for ${file}`));
    return { ...seen, kb };
  };
  const login = await look("login", {});
  const lists = [];
  for (const name of LISTS) {
    lists.push(await look(name, signedIn));
  }
  return {
    login_kb: login.kb,
    list_kb: Math.max(...lists.map(({ kb }) => kb)),
    lcp_ms: Math.round(Math.max(...[login, ...lists].map(({ lcpMs }) => lcpMs))),
    prefetched: [login, ...lists].flatMap(({ prefetched }) => prefetched).length,
  };
}

/**
 * Both pages do every act in turn. Answers how many times as fast as the plain page the console is in the slowest one.
 */
async function timeAll(
  browser: Browser,
  base: string,
  signedIn: BrowserContextOptions,
): Promise<number> {
  const context = await browser.newContext({ ...signedIn, viewport: { width: 1440, height: 900 } });
  const [console, plain] = [await context.newPage(), await context.newPage()];
  await console.goto(`${base}/red/activity_manage/config`, { waitUntil: "networkidle" });
  await plain.goto(`${base}/plain/`, { waitUntil: "networkidle" });
  const slowest: number[] = [];
  for (const [what, act] of Object.entries(ACTS)) {
    if (what !== "open") {
      await showAll(console);
      await showAll(plain);
    }
    const turns = await inPairs(RUNS + WARM_UPS, {
      console: async (run) => await act(console, run),
      plain: async (run) => await act(plain, run),
    });
    const pairs = turns.slice(WARM_UPS);
    const ms = (side: "console" | "plain") => median(pairs.map((pair) => pair[side])).toFixed(0);
    slowest.push(ratio(pairs, "plain", "console"));
    say(`${what.padEnd(6)}  console ${ms("console")} ms  plain ${ms("plain")} ms`);
  }
  await context.close();
  return Math.min(...slowest);
}

async function measure(stage: DemoStage, folder: string): Promise<number> {
  const { operator, token } = await stage.operator("bench");
  await makeRounds(operator);
  const { front, base } = await openFront(path.join(folder, "plain"), stage.base);
  const executablePath = await findChromium();
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const cookie = { name: "Admin-Token", value: token, domain: "127.0.0.1", path: "/" };
  const signedIn: BrowserContextOptions = {
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    storageState: {
      cookies: [{ ...cookie, expires: -1, httpOnly: true, secure: false, sameSite: "Strict" }],
      origins: [],
    },
  };
  try {
    const weights = await weighAll(browser, stage.base, signedIn);
    const vs_antd_page = await timeAll(browser, base, signedIn);
    return conclude(
      { ...weights, vs_antd_page },
      {
        login_kb: { at_most: 150 },
        list_kb: { at_most: 430 },
        prefetched: { at_most: 0 },
        vs_antd_page: { at_least: 0.77 },
      },
    );
  } finally {
    await browser.close();
    await stop(front);
  }
}

const folder = mkdtempSync(path.join(tmpdir(), "red-bench-"));
const stage = await openDemoStage(folder, 3, true);
try {
  process.exitCode = await measure(stage, folder);
} finally {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
}
