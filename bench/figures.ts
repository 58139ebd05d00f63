/**
 * `npm run prove -- figures`: clicks every figure of the overview and of the boards of the last rounds, on a million
 * records, and compares it with the number of rows and the money that the opened list shows; and each chart with its table.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import type { Page } from "@playwright/test";
import { sql } from "kysely";
import { findChromium } from "../tools/find-chromium.ts";
import { makeLists, ROUNDS } from "./lists-scene.ts";
import { signIn } from "./mixed-operators.ts";
import { say } from "./report.ts";
import { build, runOnStage } from "./sides.ts";

const LEAST = 60;
const BOARDS = 3;
/** How long a list may take to show its sums. */
const LIST_MS = 10_000;

interface Shown {
  readonly count: number;
  readonly amount: number;
}

const numberOf = (text: string) => Number(text.replaceAll(/[^\d.]/g, ""));
const isSame = (one: Shown, other: Shown) =>
  one.count === other.count && Math.round(one.amount * 100) === Math.round(other.amount * 100);

/** Opens a page as it is first seen, with a table behind each chart. */
async function open(page: Page, at: string): Promise<void> {
  await page.goto(at);
  await page.locator("[data-live=true]").waitFor();
  const charts = page.locator("[data-chart] button[aria-pressed=false]");
  while ((await charts.count()) > 0) {
    await charts.first().click();
  }
}

/** Answers each chart whose drawn numbers differ from its table. */
async function compareCharts(page: Page): Promise<string[]> {
  const charts = await page.locator("[data-chart]").evaluateAll((all) =>
    all.map((chart) => ({
      name: chart.getAttribute("data-chart") ?? "",
      drawn: chart.getAttribute("data-series") ?? "",
      table: [...chart.querySelectorAll("tbody tr:has(th)")].map((row) =>
        [...row.children].map((cell) => cell.textContent ?? ""),
      ),
    })),
  );
  return charts.flatMap(({ name, drawn, table }) => {
    // watch-pages.tsx writes the text.
    const { rows, series } = JSON.parse(drawn) as {
      rows: string[];
      series: { data: number[] }[];
    };
    const lines = rows.map((row, at) => [row, ...series.map(({ data }) => String(data[at]))]);
    // A count stands before its money; a note may follow.
    const shown = table.map(([row = "", ...cells]) => [
      row,
      ...cells
        .slice(0, series.length)
        .map((cell) => (cell.split(" ")[0] ?? "").replaceAll(",", "")),
    ]);
    const [one, other] = [lines, name === "minutes" ? shown.toReversed() : shown];
    say(`${name}: ${lines.length} rows drawn and in the table`);
    return JSON.stringify(one) === JSON.stringify(other)
      ? []
      : [`${name}: drawn ${JSON.stringify(one)}, in the table ${JSON.stringify(other)}`];
  });
}

/** Count and money of the opened list, as the screen shows them. */
async function readList(page: Page, source: string): Promise<Shown> {
  await page.waitForLoadState("networkidle");
  if (source.includes("/month?")) {
    // One row per round. No round is signed, and one still runs.
    const rounds = page.locator("tbody tr:has(a[href*='/sheet?'])");
    const running = rounds.filter({ hasText: new RegExp(`round ${ROUNDS}(?!\\d)`) });
    return { count: (await rounds.count()) - (await running.count()), amount: 0 };
  }
  const pager = page.locator(".ant-pagination-total-text > span");
  const count = (await pager.count()) === 0 ? 0 : numberOf(await pager.first().innerText());
  const sums = await page.locator(".k-totals dd").allInnerTexts();
  // For deposits and bets, the first sum covers all pages and the second this page.
  const counted = source.includes("deposit_bet") ? sums.slice(0, 1) : sums;
  const money = counted.map((text) => numberOf(/[\d,]+\.\d\d/.exec(text)?.[0] ?? "0"));
  return { count, amount: money.reduce((sum, one) => sum + one, 0) };
}

/** Clicks each figure of a page; answers how many there are, and which differ from their list. */
async function crawl(page: Page, at: string): Promise<{ figures: number; faults: string[] }> {
  await open(page, at);
  const faults = await compareCharts(page);
  const figures = await page.locator("[data-source]").count();
  for (let index = 0; index < figures; index += 1) {
    await open(page, at);
    const figure = page.locator("[data-source]").nth(index);
    const of = async (name: string) => (await figure.getAttribute(`data-${name}`)) ?? "";
    const source = await of("source");
    const shown = { count: Number(await of("count")), amount: Number(await of("amount")) };
    if (!(await figure.innerText()).replaceAll(",", "").startsWith(String(shown.count))) {
      faults.push(`${source}: shows ${await figure.innerText()}, not ${shown.count}`);
    }
    await figure.click();
    // A busy machine shows the sums of a list after its rows.
    const end = Date.now() + LIST_MS;
    let list = await readList(page, source);
    while (!isSame(shown, list) && Date.now() < end) {
      await sleep(100);
      list = await readList(page, source);
    }
    if (!isSame(shown, list)) {
      faults.push(`${source}: ${JSON.stringify(shown)}, its list ${JSON.stringify(list)}`);
    }
  }
  return { figures, faults };
}

await runOnStage(async ({ bench: { db }, startServer }) => {
  await build();
  await makeLists(db);
  await sql`update activity set created_at = '2020-01-02',
    end_time = case when id = ${ROUNDS} then now() + interval '1 day' else end_time end`.execute(
    db,
  );
  const [token = ""] = await signIn(db);
  const { port } = await startServer();
  const base = `http://127.0.0.1:${port}/red`;
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ["--no-sandbox", "--disable-gpu"],
  });
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: "Admin-Token", value: token, url: base }]);
  const page = await context.newPage();
  const boards = Array.from({ length: BOARDS }, (_, at) => `overview/${ROUNDS - at}`);
  let sum = 0;
  let differ = 0;
  for (const path of ["overview", ...boards]) {
    const found = await crawl(page, `${base}/${path}`);
    found.faults.forEach((fault) => say(fault));
    say(`${path}: ${found.figures} figures, ${found.faults.length} differ from their lists`);
    sum += found.figures;
    differ += found.faults.length;
  }
  await browser.close();
  say(`${sum} figures, ${differ} differ; at least ${LEAST} wanted`);
  return differ === 0 && sum >= LEAST ? 0 : 1;
});
