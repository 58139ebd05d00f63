/**
 * The week of operation (behaviour §13) on the screens: the days of e2e/outside/week.ts with their claims, and an
 * operator who does everything in a browser. Only the platform and the wallet make calls.
 */
import { expect, test } from "@playwright/test";
import { verdict } from "../outside/claims.ts";
import { SIZES } from "../screens/theatre.ts";
import { handsByScreens } from "./week-screens/by-screens.ts";
import { deskOf } from "./week-screens/desk.ts";
import { DAYS } from "../outside/week/days.ts";
import { openWeek } from "../outside/week/stage.ts";

const WITH_PICTURES = Number(process.env["PROVE_N"] ?? "0") > 0;
const DAY_MS = 600_000;

// Of ten minutes it would be as large as it is slow.
test.use({ trace: "off" });

test("a week of operation, on the screens", async ({ browser, contextOptions }) => {
  test.setTimeout(DAYS.length * DAY_MS);
  const context = await browser.newContext({
    ...contextOptions,
    viewport: SIZES.wide,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  // A machine that may be busy.
  page.setDefaultTimeout(60_000);
  const { week, close } = await openWeek(process.cwd(), (system) =>
    handsByScreens(deskOf(page, system, WITH_PICTURES)),
  );
  try {
    for (const { name, live } of DAYS) {
      await test.step(name, () => live(week));
    }
  } finally {
    await close(false);
    await context.close();
  }
  expect(verdict()).toBe(0);
});
