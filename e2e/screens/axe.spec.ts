/** Every place in light and dark: without data, with the longest data, and when the system fails. */
import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { chosenPlaces } from "./places/places.ts";
import type { Look, Place } from "./places/place.ts";
import { test, THEMES } from "./stage.ts";
import type { Size, ScreenStage } from "./stage.ts";
import { settle, showTheme, visit } from "./visit.ts";
import { fillWithLongest, NOTHING } from "./longest-data.ts";
import type { Ids } from "./longest-data.ts";

const places = chosenPlaces();

interface Tally {
  states: number;
  nodes: number;
  readonly faults: string[];
}

/** Counts elements checked by at least one rule, with every rule on; answers each fault as `rule: element`. */
async function findFaults(page: Page) {
  // By default the library merges the frames' results on a page of their own, which doubles the time. One frame
  // needs no merge.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { passes, violations, incomplete } = await axe.analyze();
  const looked = [...passes, ...violations, ...incomplete].flatMap(({ nodes }) => nodes);
  return {
    nodes: new Set(looked.map(({ target }) => target.join(" "))).size,
    faults: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${target.join(" ")} ${html.slice(0, 160)}`),
    ),
  };
}

/** Runs axe in both themes. */
async function lookAt(page: Page, place: Place, state: string, tally: Tally): Promise<void> {
  const what = `${place.name} ${state}`;
  for (const theme of THEMES) {
    await showTheme(page, theme);
    await settle(page, place);
    const { nodes, faults } = await findFaults(page);
    process.stdout.write(`${what} ${theme}: ${nodes} nodes, ${faults.length} violations\n`);
    tally.states += 1;
    tally.nodes += nodes;
    tally.faults.push(...faults.map((fault) => `${what} ${theme}: ${fault}`));
    // A page not rendered yet would have no faults.
    expect(nodes, what).toBeGreaterThan(3);
  }
}

/** Error messages on the page. */
function errorsOn(page: Page) {
  const sign = "[role=alert], [aria-invalid=true], .ant-message-notice, .ant-alert-error, .k-empty";
  return page.locator(sign).filter({ visible: true });
}

/** Records an error as a fault, so that the other places are still checked. */
async function orTell(tally: Tally, what: string, look: () => Promise<void>): Promise<void> {
  await look().catch((fault: unknown) => {
    process.stdout.write(`${what}: cannot be looked at: ${String(fault)}\n`);
    tally.faults.push(`${what}: cannot be looked at: ${String(fault)}`);
  });
}

/** Lets the place fail without its database, checks it, and starts the database again. */
async function lookAtFailure(stage: ScreenStage, look: Look, place: Place, tally: Tally) {
  await visit(look, place);
  const errors = errorsOn(look.page);
  // Only new error messages count.
  const before = await errors.allTextContents();
  stage.postgres.stop();
  try {
    await place.fail?.(look);
    await expect(errors.first()).toBeVisible({ timeout: 45_000 });
    await expect.poll(() => errors.allTextContents(), { timeout: 45_000 }).not.toEqual(before);
    await lookAt(look.page, place, "error", tally);
  } finally {
    stage.postgres.start();
    // While the database restarted, nobody noticed which connections had been closed.
    const ready = () =>
      fetch(`${stage.system.switchboard.base}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
  }
}

async function lookAtAll(
  stage: ScreenStage,
  size: Size,
  state: "empty" | "filled",
  ids: Ids,
  tally: Tally,
) {
  const seats = await stage.seats(size, "zh", ids);
  for (const place of places) {
    const isThere = place.narrow !== true || size === "narrow";
    if (isThere && (state === "filled" || place.bare === true)) {
      const look = seats.look(place);
      await orTell(tally, `${place.name} ${state} ${size}`, async () => {
        await visit(look, place);
        await lookAt(look.page, place, `${state} ${size}`, tally);
      });
    }
  }
  await seats.close();
}

async function lookEverywhere(stage: ScreenStage): Promise<Tally> {
  const tally: Tally = { states: 0, nodes: 0, faults: [] };
  await lookAtAll(stage, "wide", "empty", NOTHING, tally);
  const ids = await fillWithLongest(stage);
  const seats = await stage.seats("wide", "zh", ids);
  for (const place of places.filter(({ fail }) => fail !== undefined)) {
    await orTell(tally, `${place.name} error`, () =>
      lookAtFailure(stage, seats.look(place), place, tally),
    );
  }
  await seats.close();
  await lookAtAll(stage, "wide", "filled", ids, tally);
  await lookAtAll(stage, "narrow", "filled", ids, tally);
  return tally;
}

test("no place has a fault that axe can see", async ({ stage }) => {
  test.setTimeout(7_200_000);
  const { states, nodes, faults } = await lookEverywhere(stage);
  process.stdout.write(
    `${states} states of ${places.length} places, ${nodes} nodes, ${faults.length} violations\n`,
  );
  expect(faults).toEqual([]);
});
