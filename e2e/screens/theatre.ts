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
import { NOTHING, OPERATOR_NAME } from "./worst.ts";
import type { Ids } from "./worst.ts";

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

/** Before a long run: an ordinary page, to plant faults in that have to be found. */
export async function onPlainPage(
  theatre: Theatre,
  plant: (page: Page) => Promise<void>,
): Promise<void> {
  const { inside, close } = await theatre.seats("wide", "zh", NOTHING);
  await holdToken(inside, theatre.stage, theatre.token);
  await inside.goto(`${theatre.stage.switchboard.base}/red/404`);
  await settle(inside);
  await plant(inside);
  await close();
}

async function openTheatre(browser: Browser, inherited: BrowserContextOptions) {
  const folder = mkdtempSync(path.join(tmpdir(), "red-screens-"));
  const cluster = mkdtempSync(path.join(tmpdir(), "red-screens-pg-"));
  const postgres = startPostgres(cluster, await freePort());
  const { stage, close } = await openStage(folder, {
    DATABASE_URL: postgres.url,
    SECRET_KEY: "what the screens' own system seals with",
  });
  const { operator, token, seed } = await stage.operator(OPERATOR_NAME);
  return {
    stage,
    operator,
    token,
    seed,
    postgres,
    /** Two pages, of the signed-in operator and of a visitor, and how they show a place. */
    seats: async (size: Size, language: Language, ids: Ids) => {
      const options = { ...inherited, viewport: SIZES[size] };
      const inside = await openSeat(browser, options, language);
      const outside = await openSeat(browser, options, language);
      return {
        inside,
        look: (place: Place): Look =>
          place.outside === true
            ? { page: outside, ids, stage, token: null }
            : { page: inside, ids, stage, token },
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

export type Theatre = Awaited<ReturnType<typeof openTheatre>>;

export const test = base.extend<{ theatre: Theatre }>({
  theatre: [
    async ({ browser, contextOptions }, use) => {
      const theatre = await openTheatre(browser, contextOptions);
      await use(theatre);
      await theatre.close();
    },
    { timeout: 300_000 },
  ],
});
