/** Screens and dialogs of the console that have no place. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { routeOf } from "./places/place.ts";
import { LEADING_ON, PLACES } from "./places/places.ts";

const SOURCES = "packages/console/src";
/** Parts that open a layer above the page, under any name of the library. */
const OPENS_LAYER =
  /(?<!\w)<(?:Modal|Drawer|Dialog|LargeDialog|FormDialog|dialog)\b|modal\.confirm\(|useConfirm\(\)/;

/** The running console's routes, from its router. */
async function routesOf(page: Page): Promise<string[]> {
  const paths: unknown = await page.evaluate("Object.keys(__TSR_ROUTER__.routesByPath)");
  return [paths].flat().map(String);
}

/** Routes of the console, opened on `page`, that no place shows. */
export async function routeGaps(page: Page): Promise<string[]> {
  const routes = await routesOf(page);
  expect(routes.length).toBeGreaterThan(LEADING_ON.length);
  const known = new Set<string>([...LEADING_ON, ...PLACES.map(routeOf)]);
  // The router lists a folder and its page as two routes.
  return routes.filter((route) => !known.has(route) && !known.has(`${route}/`));
}

/** Files that open a dialog without a place, and places whose file opens none. */
export function dialogGaps(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"));
  const opening = files.filter((file) =>
    OPENS_LAYER.test(readFileSync(path.join(SOURCES, file), "utf8")),
  );
  const named = PLACES.flatMap(({ dialogs = [] }) => dialogs);
  return [
    ...opening.filter((file) => !named.includes(file)),
    ...named.filter((file) => !opening.includes(file)).map((file) => `${file} opens nothing`),
  ];
}
