/** Steps shared by several screens. */
import type { Locator, Page } from "@playwright/test";
import { answer, click, dialogOf } from "../places/place.ts";
import type { Step } from "../places/place.ts";

/** The name of a place, with additions to its address, and the steps from there. */
export type State = readonly [place: string, ...steps: readonly Step[]];

/** By screen, then by state. */
export type States = Readonly<Record<string, Readonly<Record<string, State>>>>;

export const save = answer("保存");

/** Waits for the rows of the list. */
export const listed: Step = ({ page }) => page.locator("main tr[data-row-key]").first().waitFor();

/** Reloads the list while the connection of this call breaks, until the message appears. */
export function cut(call: string, said: string): Step {
  return async (look) => {
    const { switchboard } = look.stage;
    switchboard.cut(call);
    try {
      await click("刷新")(look);
      await look.page.locator(said).first().waitFor();
    } finally {
      switchboard.cut(null);
    }
  };
}

const TRY_MS = 2_500;
const TRIES = 8;

/** Repeats a step until it succeeds, since the page may still move. */
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

/** Clears the first date field of a part of the page with its button. */
export function clearDate(part: string): Step {
  return async ({ page }) => {
    const field = page.locator(part).locator(".ant-picker").first();
    await insist(async () => {
      await field.hover({ timeout: TRY_MS });
      await field.locator(".ant-picker-clear").click({ timeout: TRY_MS });
    });
  };
}

/** Opens the calendar of a date field, and clicks today, or this word beside it. */
export function pickToday(label: string, word?: string): Step {
  return async (look) => {
    const { page } = look;
    const isOpen = (await page.getByRole("dialog").count()) > 0;
    const scope: Page | Locator = isOpen ? dialogOf(look) : page;
    const field = scope.getByLabel(label).first();
    const panel = page.locator(".ant-picker-dropdown:visible");
    const found =
      word === undefined ? panel.locator(".ant-picker-cell-today") : panel.getByText(word);
    await insist(async () => {
      await field.click({ timeout: TRY_MS });
      await found.first().click({ timeout: TRY_MS });
    });
    await field.press("Tab");
    await panel.waitFor({ state: "hidden" });
  };
}
