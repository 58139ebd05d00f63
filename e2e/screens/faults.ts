/** Faults that axe finds on a page with every rule on. */
import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";

export interface Found {
  /** Elements checked by at least one rule. */
  readonly nodes: number;
  /** `rule: element`, one per fault. */
  readonly faults: readonly string[];
}

/** `only`: this rule alone. */
export async function findFaults(page: Page, only?: string): Promise<Found> {
  // By default the library merges the frames' results on a page of their own, which doubles the time. One frame
  // needs no merge.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { passes, violations, incomplete } = await (
    only === undefined ? axe : axe.withRules(only)
  ).analyze();
  const looked = [...passes, ...violations, ...incomplete].flatMap(({ nodes }) => nodes);
  return {
    nodes: new Set(looked.map(({ target }) => target.join(" "))).size,
    faults: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${target.join(" ")} ${html.slice(0, 160)}`),
    ),
  };
}

const PLANT = `(() => {
  const page = document.querySelector("main") ?? document.body;
  page.insertAdjacentHTML(
    "afterbegin",
    '<p id="planted-text" style="color:#999;background:#fff">a text that is hard to read</p><button id="planted-button" type="button"></button>',
  );
})()`;

/** Plants a text of low contrast and a button without a name; answers the faults found. */
export async function findPlanted(page: Page): Promise<string[]> {
  await page.evaluate(PLANT);
  const { faults } = await findFaults(page);
  return ["color-contrast: #planted-text", "button-name: #planted-button"].filter((planted) =>
    faults.some((fault) => fault.startsWith(planted)),
  );
}
