/** What a place is that is looked at: a page of the console, or what opens above one. */
import type { Page } from "@playwright/test";
import type { Stage } from "../stories/stage.ts";
import type { Ids } from "./worst.ts";

export interface Look {
  readonly page: Page;
  readonly ids: Ids;
  readonly stage: Stage;
  /** The access token of who looks; null before signing in. */
  readonly token: string | null;
}

export interface Place {
  /** Also the name of its pictures. */
  readonly name: string;
  /** Path of the console's route, as the router writes it. */
  readonly route: string;
  /** What follows the path, given what there is in a filled system. */
  readonly search?: (ids: Ids) => string;
  /** Files below packages/console/src whose dialogs or questions are open. */
  readonly dialogs?: readonly string[];
  /** A dialog or drawer is above the page, whichever file it comes from. */
  readonly above?: true;
  /** From the page to the dialog, or to something to look at. */
  readonly open?: (look: Look) => Promise<void>;
  /** Shown without any data too. */
  readonly bare?: true;
  /** Before anybody is signed in. */
  readonly outside?: true;
  /** A call, such as `POST /gred/api/tag`, that gets no answer while the place is looked at. */
  readonly held?: string;
  /** Has the system answer an error, while its database is away. */
  readonly fail?: (look: Look) => Promise<void>;
  /** The sidebar is a drawer on narrow screens only. */
  readonly narrow?: true;
}

/** Whoever looks has this token from now on. */
export async function holdToken(page: Page, stage: Stage, value: string): Promise<void> {
  const { hostname } = new URL(stage.switchboard.base);
  await page.context().addCookies([{ name: "Admin-Token", value, domain: hostname, path: "/" }]);
}

/** A name in either language. */
export function named(zh: string, en: string): RegExp {
  const plain = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^(?:${plain(zh)}|${plain(en)})`);
}

/** Clicks a button of the page. */
export function click(zh: string, en: string): (look: Look) => Promise<void> {
  return async ({ page }) => {
    await page
      .getByRole("button", { name: named(zh, en) })
      .first()
      .click();
  };
}

/** Enters a one-time code that is wrong. */
export async function enterCode({ page }: Look): Promise<void> {
  await page.getByRole("dialog").getByRole("textbox").fill("000000");
}

/** Clicks the button of the dialog on top that does what the dialog is for. */
export async function confirmDialog({ page }: Look): Promise<void> {
  const dialog = page.getByRole("dialog").last();
  await dialog.getByRole("button").last().click();
}
