/** Counts in the page what an operator does there: presses of the mouse, and buttons set off by keys. */
import type { BrowserContext, Page } from "@playwright/test";

const KEPT = "clicks counted";

/*
 * The count is the tab's own, so that it outlives a change of page. A label's click that is passed on to
 * its field, and Enter in a field that submits its form, are no clicks of anybody.
 */
const LISTENER = `{
  let byKey = false;
  const add = () => {
    const count = Number(sessionStorage.getItem("${KEPT}") ?? "0");
    sessionStorage.setItem("${KEPT}", String(count + 1));
  };
  addEventListener("pointerdown", (event) => {
    byKey = false;
    if (event.isTrusted) add();
  }, true);
  addEventListener("keydown", () => { byKey = true; }, true);
  addEventListener("click", (event) => {
    const isSetOff = byKey && event.detail === 0 && event.target === document.activeElement;
    if (event.isTrusted && isSetOff) add();
  }, true);
}`;

/** Makes every page of the context count. */
export async function countClicks(context: BrowserContext): Promise<void> {
  await context.addInitScript(LISTENER);
}

export async function startCounting(page: Page): Promise<void> {
  await page.evaluate(`sessionStorage.setItem("${KEPT}", "0")`);
}

export async function clicksOf(page: Page): Promise<number> {
  return Number(await page.evaluate(`sessionStorage.getItem("${KEPT}")`));
}
