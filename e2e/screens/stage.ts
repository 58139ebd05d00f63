/** A system with a database that can be stopped, and browsers of every size and language. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base } from "@playwright/test";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { startPostgres } from "../outside/postgres.ts";
import { freePort } from "../outside/server.ts";
import { openStage } from "../stories/stage.ts";
import { holdToken } from "./places/place.ts";
import type { Look, Place } from "./places/place.ts";
import { settle } from "./visit.ts";
import { NOTHING, OPERATOR_NAME } from "./longest-data.ts";
import type { Ids } from "./longest-data.ts";

/** Time limit for a step towards a screen. */
const STEP_MS = 30_000;

export const SIZES = {
  wide: { width: 1440, height: 900 },
  middle: { width: 1024, height: 768 },
  narrow: { width: 390, height: 844 },
} as const;
export type Size = keyof typeof SIZES;

export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];
export const THEMES = ["light", "dark"] as const;

/** Clears settings and texts of an earlier place, except the language. */
function forget(language: Language): string {
  return `sessionStorage.clear(); localStorage.clear(); localStorage.setItem("language", "${language}");`;
}

async function openSeat(browser: Browser, options: BrowserContextOptions, language: Language) {
  const context = await browser.newContext(options);
  await context.addInitScript(forget(language));
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  return page;
}

/** Plants faults in a plain page before a long run, to see that they are found. */
export async function onPlainPage(
  stage: ScreenStage,
  plant: (page: Page) => Promise<void>,
): Promise<void> {
  const { inside, close } = await stage.seats("wide", "zh", NOTHING);
  await holdToken(inside, stage.system, stage.token);
  await inside.goto(`${stage.system.switchboard.base}/red/404`);
  await settle(inside);
  await plant(inside);
  await close();
}

async function openScreenStage(browser: Browser, inherited: BrowserContextOptions) {
  const folder = mkdtempSync(path.join(tmpdir(), "red-screens-"));
  const cluster = mkdtempSync(path.join(tmpdir(), "red-screens-pg-"));
  const postgres = startPostgres(cluster, await freePort());
  const { stage: system, close } = await openStage(folder, {
    DATABASE_URL: postgres.url,
    SECRET_KEY: "what the screens' own system seals with",
  });
  const { operator, token, seed } = await system.operator(OPERATOR_NAME);
  return {
    system,
    operator,
    token,
    seed,
    postgres,
    /** Two pages: the signed-in operator's (`inside`) and a visitor's (`outside`). `look` picks the one that a place needs. */
    seats: async (size: Size, language: Language, ids: Ids) => {
      const options = { ...inherited, viewport: SIZES[size] };
      const inside = await openSeat(browser, options, language);
      const outside = await openSeat(browser, options, language);
      return {
        inside,
        look: (place: Place): Look =>
          place.outside === true
            ? { page: outside, ids, stage: system, token: null }
            : { page: inside, ids, stage: system, token },
        close: async () => {
          await inside.context().close();
          await outside.context().close();
        },
      };
    },
    close: async () => {
      await close();
      postgres.stop();
      rmSync(folder, { recursive: true, force: true });
      rmSync(cluster, { recursive: true, force: true });
    },
  };
}

export type ScreenStage = Awaited<ReturnType<typeof openScreenStage>>;

export const test = base.extend<{ stage: ScreenStage }>({
  stage: [
    async ({ browser, contextOptions }, use) => {
      const stage = await openScreenStage(browser, contextOptions);
      await use(stage);
      await stage.close();
    },
    { timeout: 300_000 },
  ],
});
