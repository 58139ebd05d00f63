/**
 * The worst data on every place, at three widths, in both languages: no unreadable text, no overlapping controls, no
 * sideways scrolling, no target that is too small. Leaves contact sheets in both themes.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { Browser, Page } from "@playwright/test";
import { listAt, textAt } from "../outside/json.ts";
import { chosenPlaces } from "./places/places.ts";
import { holdToken } from "./places/place.ts";
import type { Look, Place } from "./places/place.ts";
import { LANGUAGES, openTheatre, SIZES, THEMES } from "./theatre.ts";
import type { Language, Size, Theatre, Theme } from "./theatre.ts";
import { settle, visit } from "./visit.ts";
import { fillWithWorst, NOTHING } from "./worst.ts";
import type { Ids } from "./worst.ts";

const places = chosenPlaces();

const SIGHT = readFileSync("e2e/screens/sight.mjs", "utf8");
const FOLDER = ".cache/screens";
const GRIDS = {
  wide: { columns: 3, rows: 3, width: 640 },
  middle: { columns: 4, rows: 3, width: 480 },
  narrow: { columns: 6, rows: 2, width: 300 },
} as const;

/** Does pointing at the clipped text show all of it? */
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
  const seen: unknown = await page.evaluate(SIGHT);
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
  '<div class="ant-dropdown" style="position:fixed;left:-40px;top:300px;width:90px;height:30px">planted out</div>' +
  '<div style="width:3000px">planted width</div>',
)`;

/** Plants a fault of each kind, the small button out of view; answers the kinds found. */
async function findPlanted(page: Page): Promise<string[]> {
  expect(await troubles(page)).toEqual([]);
  await page.evaluate(PLANT);
  const found = await troubles(page);
  return KINDS.filter((kind) => found.some((one) => one.startsWith(kind)));
}

interface Picture {
  readonly name: string;
  readonly png: Buffer;
}

/** Number of columns, and the width of each picture. */
interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
}

function pageOf(pictures: readonly Picture[], width: number): string {
  const figures = pictures.map(
    ({ name, png }) =>
      `<figure><figcaption>${name}</figcaption><img src="data:image/png;base64,${png.toString("base64")}" style="width:${width}px"></figure>`,
  );
  const style =
    "body{margin:8px;display:flex;flex-wrap:wrap;gap:8px;background:#777}figure{margin:0}figcaption{font:13px sans-serif;color:#fff}img{display:block}";
  return `<!doctype html><style>${style}</style>${figures.join("")}`;
}

/** Contact sheets, of many pictures each with its name: writes `FOLDER/title-1.png` and so on. */
async function writeSheets(
  browser: Browser,
  title: string,
  pictures: readonly Picture[],
  { columns, rows, width }: Grid,
): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const viewport = { width: 16 + columns * (width + 8), height: 600 };
  const page = await browser.newPage({ viewport });
  const size = columns * rows;
  for (let at = 0; at < pictures.length; at += size) {
    await page.setContent(pageOf(pictures.slice(at, at + size), width));
    await page.screenshot({ path: `${FOLDER}/${title}-${1 + at / size}.png`, fullPage: true });
  }
  await page.close();
}

type Pictures = Record<Theme, Picture[]>;

/** Opens the place, takes its pictures, and answers its faults. */
async function lookAt(look: Look, place: Place, pictures: Pictures): Promise<string[]> {
  await look.page.emulateMedia({ colorScheme: "light" });
  await visit(look, place);
  for (const theme of THEMES) {
    await look.page.emulateMedia({ colorScheme: theme });
    await settle(look.page, place);
    pictures[theme].push({ name: place.name, png: await look.page.screenshot() });
  }
  return troubles(look.page);
}

interface Round {
  readonly theatre: Theatre;
  readonly ids: Ids;
  readonly size: Size;
  readonly language: Language;
}

/** Visits all places; answers the pictures by theme, and the faults. */
async function goRound({ theatre, ids, size, language }: Round) {
  const seats = await theatre.seats(size, language, ids);
  const pictures: Pictures = { light: [], dark: [] };
  const wrong: string[] = [];
  for (const place of places) {
    if (place.narrow === true && size !== "narrow") {
      continue;
    }
    const found = await lookAt(seats.look(place), place, pictures).catch((fault: unknown) => [
      `cannot be looked at: ${String(fault)}`,
    ]);
    for (const one of found) {
      process.stdout.write(`${place.name} ${size} ${language} ${one}\n`);
      wrong.push(`${place.name} ${size} ${language} ${one}`);
    }
  }
  await seats.close();
  return { pictures, wrong };
}

async function keep(browser: Browser, { size, language }: Round, pictures: Pictures) {
  for (const theme of THEMES) {
    const title = `${language}-${SIZES[size].width}-${theme}`;
    await writeSheets(browser, title, pictures[theme], GRIDS[size]);
  }
}

/** Planted faults must be found: checked before the long run. */
async function expectToFind(theatre: Theatre): Promise<void> {
  const { inside, close } = await theatre.seats("wide", "zh", NOTHING);
  await holdToken(inside, theatre.stage, theatre.token);
  await inside.goto(`${theatre.stage.switchboard.base}/red/404`);
  await settle(inside);
  expect(await findPlanted(inside)).toEqual(KINDS);
  await close();
}

async function goRoundAll(browser: Browser, theatre: Theatre): Promise<string[]> {
  await expectToFind(theatre);
  const ids = await fillWithWorst(theatre);
  const all: string[] = [];
  let taken = 0;
  for (const language of LANGUAGES) {
    for (const size of ["wide", "middle", "narrow"] as const) {
      const round = { theatre, ids, size, language };
      const { pictures, wrong } = await goRound(round);
      await keep(browser, round, pictures);
      process.stdout.write(
        `${language} ${SIZES[size].width} px: ${pictures.light.length} places, ${wrong.length} troubles\n`,
      );
      all.push(...wrong);
      taken += pictures.light.length + pictures.dark.length;
    }
  }
  process.stdout.write(
    `${taken} pictures of ${places.length} places, ${all.length} troubles; a planted fault of each kind found; contact sheets in ${FOLDER}\n`,
  );
  return all;
}

test("no place is out of shape with the worst data", async ({ browser, contextOptions }) => {
  test.setTimeout(7_200_000);
  const theatre = await openTheatre(browser, contextOptions);
  try {
    expect(await goRoundAll(browser, theatre)).toEqual([]);
  } finally {
    await theatre.close();
  }
});
