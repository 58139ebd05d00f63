/** Daily tasks of operators on three days of demonstration: clicks and keys are limited, seconds reported. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { openDemoStage } from "./demo-stage.ts";
import { EVENING_TASKS } from "./tasks/evening.ts";
import { closeMonth } from "./tasks/month.ts";
import { NEW_ROUND_TASKS } from "./tasks/new-round.ts";
import { QUESTIONS } from "./tasks/questions.ts";
import { ROUND_TASKS } from "./tasks/rounds.ts";
import { openScene, queued } from "./tasks/scene.ts";
import type { Scene, Task } from "./tasks/scene.ts";

const DAYS = 3;
const TIMES = Number(process.env["PROVE_N"] ?? "1");

const KEPT = { clicks: "clicks counted", keys: "keys counted" };

/*
 * Counts presses of the mouse, buttons triggered by keys, and keys. Stored per tab, so that it survives a change of
 * page. The click that a label passes to its field, and Enter that submits a form, are no clicks.
 */
const LISTENER = `{
  let byKey = false;
  const add = (kept = "${KEPT.clicks}") => {
    const count = Number(sessionStorage.getItem(kept) ?? "0");
    sessionStorage.setItem(kept, String(count + 1));
  };
  addEventListener("pointerdown", (event) => {
    byKey = false;
    if (event.isTrusted) add();
  }, true);
  addEventListener("keydown", (event) => {
    byKey = true;
    if (event.isTrusted) add("${KEPT.keys}");
  }, true);
  addEventListener("click", (event) => {
    const isSetOff = byKey && event.detail === 0 && event.target === document.activeElement;
    if (event.isTrusted && isSetOff) add();
  }, true);
}`;

interface Done {
  readonly clicks: number;
  readonly keys: number;
  readonly seconds: number;
}

async function doTask(
  browser: Browser,
  options: BrowserContextOptions,
  scene: Scene,
  task: Task,
): Promise<Done> {
  const { base } = scene.stage;
  const context = await browser.newContext(options);
  await context.addCookies([{ name: "Admin-Token", value: scene.token, url: base }]);
  await context.addInitScript(LISTENER);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const from = typeof task.from === "string" ? task.from : await task.from(scene);
  await page.goto(`${base}/red${from}`);
  await task.ready(page);
  await page.evaluate(
    `["${KEPT.clicks}", "${KEPT.keys}"].forEach((kept) => sessionStorage.removeItem(kept))`,
  );
  const begun = performance.now();
  const check = await task.act(page, scene);
  const seconds = (performance.now() - begun) / 1000;
  const countOf = async (kept: string) =>
    Number(await page.evaluate(`sessionStorage.getItem("${kept}")`));
  const [clicks, keys] = [await countOf(KEPT.clicks), await countOf(KEPT.keys)];
  await check();
  await context.close();
  await task.undo?.(scene);
  return { clicks, keys, seconds };
}

function most(done: readonly Done[], key: keyof Done): number {
  return Math.max(...done.map((one) => one[key]));
}

/** Exceeded limits, in words. */
function faultsOf(task: Task, done: readonly Done[]): string[] {
  const [clicks, keys, seconds] = [most(done, "clicks"), most(done, "keys"), most(done, "seconds")];
  return [
    ...(clicks > task.clicks ? [`${task.what}: ${clicks} clicks of ${task.clicks}`] : []),
    ...(keys > (task.keys ?? Infinity)
      ? [`${task.what}: ${keys} keys of ${String(task.keys)}`]
      : []),
    ...(clicks + keys < 1 ? [`${task.what}: no click or key was counted`] : []),
    ...(seconds > (task.seconds ?? Infinity)
      ? [`${task.what}: ${seconds.toFixed(1)} s of ${String(task.seconds)}`]
      : []),
  ];
}

function lineOf(task: Task, done: readonly Done[]): string {
  const keysMax = task.keys === undefined ? "" : ` / ${task.keys}`;
  const clicks = `${most(done, "clicks")} / ${task.clicks} clicks  ${most(done, "keys")}${keysMax} keys`;
  const limit = task.seconds === undefined ? "" : ` / ${task.seconds}`;
  return `${clicks}  ${most(done, "seconds").toFixed(1).padStart(5)}${limit.padEnd(5)} s  ${task.what}`;
}

/** Does every task as often as requested; answers exceeded limits. */
async function doAll(
  browser: Browser,
  options: BrowserContextOptions,
  scene: Scene,
): Promise<string[]> {
  const faults: string[] = [];
  const days = [...EVENING_TASKS, ...NEW_ROUND_TASKS, ...ROUND_TASKS, ...QUESTIONS];
  for (const task of [...days, closeMonth]) {
    const done: Done[] = [];
    for (let time = 0; time < (task.isOnce === true ? 1 : TIMES); time += 1) {
      done.push(await doTask(browser, options, scene, task));
    }
    process.stdout.write(`${lineOf(task, done)}\n`);
    faults.push(...faultsOf(task, done));
  }
  return faults;
}

test("the tasks of a day take no more clicks than they may", async ({
  browser,
  contextOptions,
}) => {
  test.setTimeout(300_000 + TIMES * 120_000);
  const folder = mkdtempSync(path.join(tmpdir(), "red-tasks-"));
  const stage = await openDemoStage(folder, DAYS);
  try {
    const scene = await openScene(stage);
    // Payouts of the past days are sent when the server starts.
    await expect.poll(() => queued(scene), { timeout: 120_000 }).toBe(0);
    expect(await doAll(browser, contextOptions, scene)).toEqual([]);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
