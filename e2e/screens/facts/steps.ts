/** Steps that several screens need; each is tried again while the page is still moving. */
import type { Locator, Page } from "@playwright/test";

const TRY_MS = 2_500;
const TRIES = 8;

/** Does something until it succeeds. */
async function insist(step: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await step();
    } catch (error) {
      if (tried >= TRIES) {
        throw error;
      }
    }
  }
}

/** Chooses an option of a list, once it has come. */
export async function choose(list: Locator, text: string): Promise<void> {
  const page = list.page();
  await insist(async () => {
    if ((await list.getAttribute("aria-expanded", { timeout: TRY_MS })) !== "true") {
      await list.press("ArrowDown", { timeout: TRY_MS });
    }
    await page
      .locator(".ant-select-dropdown:visible .ant-select-item-option", { hasText: text })
      .click({ timeout: TRY_MS });
  });
}

/** Empties a date field by its own button. */
export async function clearDate(field: Locator): Promise<void> {
  await insist(async () => {
    await field.hover({ timeout: TRY_MS });
    await field.locator(".ant-picker-clear").click({ timeout: TRY_MS });
  });
}

/** Opens the calendar of a date field, and clicks something in it. */
export async function pickIn(field: Locator, wanted: string | { text: string }): Promise<void> {
  const page: Page = field.page();
  const panel = page.locator(".ant-picker-dropdown:visible");
  const found = typeof wanted === "string" ? panel.locator(wanted) : panel.getByText(wanted.text);
  await insist(async () => {
    await field.click({ timeout: TRY_MS });
    await found.first().click({ timeout: TRY_MS });
  });
  await field.press("Tab");
  await panel.waitFor({ state: "hidden" });
}
