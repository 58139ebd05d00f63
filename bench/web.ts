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
import { findChromium } from "../tools/find-chromium.ts";
import { installed, ROOT, runCommand } from "../tools/run-command.ts";
import { openFront } from "./web-front.ts";
import { median, RUNS, say } from "./report.ts";
import { ACTS, GROUP_SIZE, act, groupName, showAll } from "./web-pairs.ts";
import type { Act } from "./web-pairs.ts";
import { weigh } from "./web-weights.ts";

/** Not counted: the first runs also compile scripts. */
const WARM_UPS = 2;
const LIMITS = { login_kb: 150, list_kb: 430, slower: 1.3 } as const;

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

async function buildPlain(folder: string): Promise<void> {
  const options = { cwd: path.join(ROOT, "bench/web"), timeoutMs: 120_000 };
  const words = ["build", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"];
  const { code, output } = await runCommand(installed("vite"), words, options);
  if (code !== 0) {
    throw new Error(`the plain page could not be built:\n${output}`);
  }
}

function kb(bytes: number): number {
  return Math.round(bytes / 100) / 10;
}

interface Weights {
  readonly login_kb: number;
  readonly list_kb: number;
  readonly plain_kb: number;
  readonly lcp_ms: number;
  readonly faults: readonly string[];
}

async function weighAll(
  browser: Browser,
  [console, plain]: readonly [string, string],
  signedIn: BrowserContextOptions,
): Promise<Weights> {
  const faults: string[] = [];
  const look = async (what: string, url: string, options: BrowserContextOptions) => {
    const { bytes, requests, prefetched, lcpMs } = await weigh(browser, options, url);
    say(
      `${`${kb(bytes)} kB`.padStart(9)}  ${String(requests).padStart(3)} requests  LCP ${Math.round(lcpMs)} ms  ${what}`,
    );
    if (prefetched.length > 0) {
      faults.push(`${what} asks for scripts at rest: ${prefetched.join(", ")}`);
    }
    return { size: kb(bytes), lcpMs };
  };
  const login = await look("login", `${console}/red/login`, {});
  const lists = [];
  for (const name of LISTS) {
    lists.push(await look(name, `${console}/red/activity_manage/${name}`, signedIn));
  }
  const other = await look("plain antd page", `${plain}/plain/`, signedIn);
  return {
    login_kb: login.size,
    list_kb: Math.max(...lists.map(({ size }) => size)),
    plain_kb: other.size,
    lcp_ms: Math.round(Math.max(login.lcpMs, ...lists.map(({ lcpMs }) => lcpMs))),
    faults,
  };
}

type Times = Record<Act, { console: number; plain: number; slower: number }>;

/** Both pages do every act in turn; the first one alternates from run to run. */
async function timeAll(
  browser: Browser,
  base: string,
  signedIn: BrowserContextOptions,
): Promise<Times> {
  const context = await browser.newContext({ ...signedIn, viewport: { width: 1440, height: 900 } });
  const [console, plain] = [await context.newPage(), await context.newPage()];
  await console.goto(`${base}/red/activity_manage/config`, { waitUntil: "networkidle" });
  await plain.goto(`${base}/plain/`, { waitUntil: "networkidle" });
  const times = {} as Times;
  for (const what of ACTS) {
    const pairs: { console: number; plain: number }[] = [];
    if (what !== "open") {
      await showAll(console);
      await showAll(plain);
    }
    for (let run = 0; run < RUNS + WARM_UPS; run += 1) {
      const pair = { console: 0, plain: 0 };
      const turns = [["console", console] as const, ["plain", plain] as const];
      for (const [name, page] of run % 2 === 0 ? turns : turns.toReversed()) {
        pair[name] = await act(page, what, run);
      }
      pairs.push(pair);
    }
    const counted = pairs.slice(WARM_UPS);
    times[what] = {
      console: median(counted.map((pair) => pair.console)),
      plain: median(counted.map((pair) => pair.plain)),
      slower: median(counted.map((pair) => pair.console / pair.plain)),
    };
  }
  await context.close();
  return times;
}

function faultsOf(weights: Weights, times: Times): string[] {
  return [
    ...weights.faults,
    ...(["login_kb", "list_kb"] as const).flatMap((key) =>
      weights[key] > LIMITS[key] ? [`${key}: ${weights[key]} of ${LIMITS[key]}`] : [],
    ),
    ...ACTS.flatMap((what) =>
      times[what].slower > LIMITS.slower
        ? [`${what} takes ${times[what].slower.toFixed(2)} times the plain page's`]
        : [],
    ),
  ];
}

async function measure(stage: DemoStage, folder: string): Promise<number> {
  const { operator, token } = await stage.operator("bench");
  await makeRounds(operator);
  const plain = path.join(folder, "plain");
  await buildPlain(plain);
  const front = await openFront(plain, stage.base);
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
  const weights = await weighAll(browser, [stage.base, front.base], signedIn);
  const times = await timeAll(browser, front.base, signedIn);
  await browser.close();
  await front.close();
  for (const what of ACTS) {
    const { console, plain: beside, slower } = times[what];
    say(
      `${what.padEnd(6)}  console ${console.toFixed(0)} ms  plain ${beside.toFixed(0)} ms  ${slower.toFixed(2)} ×`,
    );
  }
  const faults = faultsOf(weights, times);
  faults.forEach((fault) => say(`exceeded: ${fault}`));
  const slowest = Math.max(...ACTS.map((what) => times[what].slower));
  const { login_kb, list_kb, plain_kb, lcp_ms } = weights;
  const figures = {
    login_kb,
    list_kb,
    plain_kb,
    lcp_ms,
    vs_antd_page: 1 / slowest,
    runs: RUNS,
    times,
  };
  say(
    JSON.stringify(figures, (_, value: unknown) =>
      typeof value === "number" ? Math.round(value * 100) / 100 : value,
    ),
  );
  return faults.length === 0 ? 0 : 1;
}

const folder = mkdtempSync(path.join(tmpdir(), "red-bench-"));
const stage = await openDemoStage(folder, 3, true);
try {
  process.exitCode = await measure(stage, folder);
} finally {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
}
