/** Counts an operator's clicks in the page: presses of the mouse, and buttons triggered by keys. */
import type { BrowserContext, Page } from "@playwright/test";

const KEPT = "clicks counted";

/*
 * Stored per tab, so that it survives a change of page. The click that a label passes to its field, and Enter that
 * submits a form, are not counted.
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

export async function countClicks(context: BrowserContext): Promise<void> {
  await context.addInitScript(LISTENER);
}

export async function startCounting(page: Page): Promise<void> {
  await page.evaluate(`sessionStorage.setItem("${KEPT}", "0")`);
}

export async function clicksOf(page: Page): Promise<number> {
  return Number(await page.evaluate(`sessionStorage.getItem("${KEPT}")`));
}
