/**
 * The longest data on every place, at three widths, in both languages: no unreadable text, no overlapping controls, no
 * sideways scrolling, no target that is too small. Leaves a picture of each in both themes.
 */
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { listAt, textAt } from "../outside/json.ts";
import { chosenPlaces } from "./places/places.ts";
import type { Look, Place } from "./places/place.ts";
import { LANGUAGES, onPlainPage, SIZES, test, THEMES } from "./stage.ts";
import type { Language, Size, ScreenStage } from "./stage.ts";
import { settle, visit } from "./visit.ts";
import { fillWithLongest } from "./longest-data.ts";
import type { Ids } from "./longest-data.ts";

const places = chosenPlaces();

const LAYOUT_FAULTS = readFileSync("e2e/screens/layout-faults.mjs", "utf8");
const FOLDER = ".cache/screens";

/** True when pointing at the clipped text shows all of it. */
async function isTold(page: Page, at: number, whole: string): Promise<boolean> {
  await page.locator(`[data-clipped="${at}"]`).hover({ timeout: 3_000 });
  const tip = page.getByRole("tooltip").filter({ hasText: whole });
  const isShown = await tip
    .first()
    .waitFor({ timeout: 2_000 })
    .then(
      () => true,
      () => false,
    );
  await page.mouse.move(0, 0);
  return isShown;
}

/** Layout faults of the page. */
async function troubles(page: Page): Promise<string[]> {
  const seen: unknown = await page.evaluate(LAYOUT_FAULTS);
  const found = KINDS.filter((kind) => kind !== "clipped").flatMap((kind) =>
    listAt(seen, kind).map((sentence) => `${kind}: ${String(sentence)}`),
  );
  for (const [at, clipped] of listAt(seen, "clipped").entries()) {
    if (!(await isTold(page, at, textAt(clipped, "whole")))) {
      found.push(`clipped: ${textAt(clipped, "sentence")}`);
    }
  }
  return found;
}

const KINDS = ["overlapping", "sideways", "small", "outside", "clipped"] as const;
const PLANT = `document.body.insertAdjacentHTML("afterbegin",
  '<p style="width:40px;overflow:hidden;white-space:nowrap">planted text</p>' +
  '<button style="width:90px;height:30px">planted under</button><button style="width:90px;height:30px;margin-left:-40px">planted over</button>' +
  '<div style="height:30px;overflow:auto"><div style="height:90px"></div><button style="width:16px;height:16px;vertical-align:top">planted small</button><button style="width:16px;height:16px;vertical-align:top">o</button></div>' +
  '<div class="ant-tooltip" style="position:fixed;left:-40px;top:300px;width:90px;height:30px">planted out</div>' +
  '<div style="width:3000px">planted width</div>',
)`;

/** Plants a fault of each kind, the small button out of view, and finds them. */
async function findPlanted(page: Page): Promise<void> {
  expect(await troubles(page)).toEqual([]);
  await page.evaluate(PLANT);
  const found = await troubles(page);
  expect(KINDS.filter((kind) => found.some((one) => one.startsWith(kind)))).toEqual(KINDS);
}

/** Opens the place, takes its picture in both themes, and answers its faults. */
async function lookAt(look: Look, place: Place, folder: string): Promise<string[]> {
  await look.page.emulateMedia({ colorScheme: "light" });
  await visit(look, place);
  for (const theme of THEMES) {
    await look.page.emulateMedia({ colorScheme: theme });
    await settle(look.page, place);
    await look.page.screenshot({ path: `${folder}-${theme}/${place.name}.png` });
  }
  return troubles(look.page);
}

/** Visits all places that this size has; answers their faults. */
async function goRound(stage: ScreenStage, ids: Ids, size: Size, language: Language) {
  const seats = await stage.seats(size, language, ids);
  const visited = places.filter(({ narrow }) => narrow !== true || size === "narrow");
  const wrong: string[] = [];
  for (const place of visited) {
    const folder = `${FOLDER}/${language}-${SIZES[size].width}`;
    const found = await lookAt(seats.look(place), place, folder).catch((fault: unknown) => [
      `cannot be looked at: ${String(fault)}`,
    ]);
    for (const one of found) {
      process.stdout.write(`${place.name} ${size} ${language} ${one}\n`);
      wrong.push(`${place.name} ${size} ${language} ${one}`);
    }
  }
  await seats.close();
  process.stdout.write(
    `${language} ${SIZES[size].width} px: ${visited.length} places in both themes, ${wrong.length} troubles\n`,
  );
  return wrong;
}

async function goRoundAll(stage: ScreenStage): Promise<string[]> {
  await onPlainPage(stage, findPlanted);
  const ids = await fillWithLongest(stage);
  const all: string[] = [];
  for (const language of LANGUAGES) {
    for (const size of ["wide", "middle", "narrow"] as const) {
      all.push(...(await goRound(stage, ids, size, language)));
    }
  }
  process.stdout.write(
    `${places.length} places, ${all.length} troubles; a planted fault of each kind found; pictures in ${FOLDER}\n`,
  );
  return all;
}

test("no place is out of shape with the longest data", async ({ stage }) => {
  test.setTimeout(7_200_000);
  expect(await goRoundAll(stage)).toEqual([]);
});
