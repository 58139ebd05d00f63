/** A place: a page of the console, or what opens above one, and how it is reached. */
import type { Locator, Page } from "@playwright/test";
import { pick } from "../../stories/form.ts";
import type { Stage } from "../../stories/stage.ts";
import type { Ids } from "../longest-data.ts";

export interface Look {
  readonly page: Page;
  readonly ids: Ids;
  readonly stage: Pick<Stage, "switchboard" | "redctl">;
  /** The user's access token; null before signing in. */
  readonly token: string | null;
}

export type Step = (look: Look) => Promise<unknown>;

export interface Place {
  /** Also names its pictures. */
  readonly name: string;
  /** Path of the route, as in the router, and the rest of the address; `{pool}` stands for that id. */
  readonly at: string;
  /** Files below packages/console/src whose dialogs or questions it opens; each is named once. */
  readonly dialogs?: readonly string[];
  /** A dialog or drawer is above the page, whatever its file. */
  readonly above?: true;
  /** The button that opens it, if an address can open it too; `{prize}` stands for that name. */
  readonly opener?: string;
  /** From the page to the dialog, or to the state to check. */
  readonly open?: Step;
  /** Also exists without any data. */
  readonly bare?: true;
  /** Before signing in. */
  readonly outside?: true;
  /** A call, such as `POST /gred/api/tag`, that stays unanswered during the check. */
  readonly held?: string;
  /** Makes the system answer an error, while its database is down. */
  readonly fail?: Step;
  /** Only on narrow screens, where the sidebar is a drawer. */
  readonly narrow?: true;
}

/** Path of the place's route. */
export function routeOf({ at }: Place): string {
  return at
    .replace(/\/\{.*/, "/$id")
    .split(/[?{]/, 1)
    .join();
}

/** The address with ids inserted. */
export function filled(address: string, ids: Ids): string {
  const known = new Map(Object.entries(ids));
  return address.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known.get(name)));
}

/** Sets the access token of the page. */
export async function holdToken(page: Page, stage: Look["stage"], value: string): Promise<void> {
  const { hostname } = new URL(stage.switchboard.base);
  await page.context().addCookies([{ name: "Admin-Token", value, domain: hostname, path: "/" }]);
}

/** Matches a name in either language, or its beginning. */
export function named(zh: string, en = zh): RegExp {
  const plain = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^(?:${plain(zh)}|${plain(en)})`);
}

export function all(...steps: readonly Step[]): Step {
  return async (look) => {
    for (const step of steps) {
      await step(look);
    }
  };
}

/** The topmost dialog. */
export function dialogOf({ page }: Pick<Look, "page">): Locator {
  return page.getByRole("dialog").last();
}

export function click(zh: string, en = zh): Step {
  return answer(zh, en, ({ page }) => page.locator("body"));
}

/** Clicks a button in a part of the page, by default the topmost dialog. */
export function answer(zh: string, en = zh, scope: Scope = dialogOf): Step {
  return (look) =>
    scope(look)
      .getByRole("button", { name: named(zh, en) })
      .first()
      .click();
}

/** Opens a menu, and clicks an entry if one is given. */
export function menu(zh: string, en = zh, entry?: string | RegExp): Step {
  return async (look) => {
    await click(zh, en)(look);
    const items = look.page.getByRole("menuitem");
    await items.first().waitFor();
    await (entry === undefined ? null : items.filter({ hasText: entry }).click());
  };
}

export const tickAll: Step = ({ page }) =>
  page
    .getByRole("checkbox", { name: named("全选本页", "Select this page") })
    .first()
    .check();

/** A part of the page. */
type Scope = (look: Look) => Locator;

/** Fills in fields by label; a bar separates the label in both languages. */
export function enter(fields: Readonly<Record<string, string>>, scope: Scope = dialogOf): Step {
  return async (look) => {
    for (const [label, text] of Object.entries(fields)) {
      const [zh = "", en] = label.split("|");
      const within = scope(look);
      const name = en === undefined ? zh : named(zh, en);
      const found = within
        .getByRole("textbox", { name, exact: true })
        .or(within.getByRole("combobox", { name, exact: true }))
        .or(within.getByLabel(name, { exact: true }));
      await found.first().fill(filled(text, look.ids));
      await found.first().press("Tab");
    }
  };
}

/** Chooses an entry of a list. */
export function choose(label: string, entry: string, scope: Scope = dialogOf): Step {
  return (look) => pick(look.page, scope(look).getByRole("combobox", { name: label }), entry);
}

/** Gives the dialog a file; `{goodFile}` and the like stand for contents. */
export function chooseFile(content: string | Buffer, name = "prizes.csv"): Step {
  return async ({ page, ids }) => {
    const buffer = Buffer.from(typeof content === "string" ? filled(content, ids) : content);
    const file = { name, mimeType: "application/octet-stream", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
  };
}

/** Enters a wrong one-time code. */
export const enterCode: Step = (look) => dialogOf(look).getByRole("textbox").last().fill("000000");

/** Clicks the main button of the topmost dialog. */
export const confirmDialog: Step = (look) => dialogOf(look).getByRole("button").last().click();

/** Submits an empty form. */
export const submitEmpty: Step = all(confirmDialog, ({ page }) =>
  page.locator("[role=dialog] [aria-invalid=true]").first().waitFor(),
);
