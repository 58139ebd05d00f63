/** The operator's desk of the week: a browser with the console in it. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { THEMES, SIZES } from "../../screens/theatre.ts";
import { settle } from "../../screens/visit.ts";
import type { Context } from "../../outside/context.ts";
import type { Authenticator } from "../../outside/totp.ts";

const FOLDER = ".cache/week";

export interface Desk extends Pick<Context, "base" | "admin"> {
  readonly page: Page;
  /** Takes pictures of what is on the screen, wide and light and narrow and dark, if they are wanted. */
  show(name: string): Promise<void>;
  authenticator: Authenticator | null;
}

/** A desk at which nobody has signed in yet. */
export function deskOf(page: Page, { base, admin }: Context, isShown: boolean): Desk {
  const shown = new Set<string>();
  async function show(name: string): Promise<void> {
    if (!isShown || shown.has(name)) {
      return;
    }
    shown.add(name);
    mkdirSync(FOLDER, { recursive: true });
    const looks = [
      ["wide", THEMES[0]],
      ["narrow", THEMES[1]],
    ] as const;
    for (const [size, colorScheme] of looks) {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme });
      await settle(page);
      await page.screenshot({ path: path.join(FOLDER, `${name}-${size}-${colorScheme}.png`) });
    }
    await page.setViewportSize(SIZES.wide);
    await page.emulateMedia({ colorScheme: THEMES[0] });
    await settle(page);
  }
  return { page, base, admin, show, authenticator: null };
}

/** Opens a screen from the bar at the side. */
export async function goTo({ page }: Desk, screen: string): Promise<void> {
  await page.getByRole("link", { name: screen, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: screen })).toBeVisible();
}

/** Enters a code of the authenticator where one is asked for. */
export async function nextCode({ authenticator }: Desk): Promise<string> {
  if (authenticator === null) {
    throw new Error("nobody has signed in");
  }
  return await authenticator.code();
}
