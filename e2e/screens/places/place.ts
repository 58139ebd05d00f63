/** What a place is that is looked at: a page of the console, or what opens above one; and how it is reached. */
import type { Locator, Page } from "@playwright/test";
import { pick } from "../../stories/form.ts";
import type { Stage } from "../../stories/stage.ts";
import type { Ids } from "../worst.ts";

export interface Look {
  readonly page: Page;
  readonly ids: Ids;
  readonly stage: Pick<Stage, "switchboard" | "redctl">;
  /** The access token of who looks; null before signing in. */
  readonly token: string | null;
}

/** Something that is done on the page. */
export type Step = (look: Look) => Promise<unknown>;

export interface Place {
  /** Also the name of its pictures. */
  readonly name: string;
  /** Path of the console's route, as the router writes it, and what follows it; `{pool}` stands for that id. */
  readonly at: string;
  /** Files below packages/console/src whose dialogs or questions are open. */
  readonly dialogs?: readonly string[];
  /** A dialog or drawer is above the page, whichever file it comes from. */
  readonly above?: true;
  /** The button of the page that opens it, where an address does so too; `{prize}` stands for that name. */
  readonly opener?: string;
  /** From the page to the dialog, or to something to look at. */
  readonly open?: Step;
  /** Shown without any data too. */
  readonly bare?: true;
  /** Before anybody is signed in. */
  readonly outside?: true;
  /** A call, such as `POST /gred/api/tag`, that gets no answer while the place is looked at. */
  readonly held?: string;
  /** Has the system answer an error, while its database is away. */
  readonly fail?: Step;
  /** The sidebar is a drawer on narrow screens only. */
  readonly narrow?: true;
}

/** The path of the console's route. */
export function routeOf({ at }: Place): string {
  return at.split(/[?{]/, 1).join();
}

/** An address with the ids of a filled system in it. */
export function filled(address: string, ids: Ids): string {
  const known = new Map(Object.entries(ids));
  return address.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(known.get(name)));
}

/** Whoever looks has this token from now on. */
export async function holdToken(page: Page, stage: Look["stage"], value: string): Promise<void> {
  const { hostname } = new URL(stage.switchboard.base);
  await page.context().addCookies([{ name: "Admin-Token", value, domain: hostname, path: "/" }]);
}

/** A name in either language, or the beginning of one. */
export function named(zh: string, en = zh): RegExp {
  const plain = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^(?:${plain(zh)}|${plain(en)})`);
}

/** One step after the other. */
export function all(...steps: readonly Step[]): Step {
  return async (look) => {
    for (const step of steps) {
      await step(look);
    }
  };
}

/** The dialog on top. */
export function dialogOf({ page }: Pick<Look, "page">): Locator {
  return page.getByRole("dialog").last();
}

/** Clicks a button of the page. */
export function click(zh: string, en = zh): Step {
  return ({ page }) =>
    page
      .getByRole("button", { name: named(zh, en) })
      .first()
      .click();
}

/** Clicks a button of a part of the page: of the dialog on top. */
export function answer(zh: string, en = zh, scope: Scope = dialogOf): Step {
  return (look) =>
    scope(look)
      .getByRole("button", { name: named(zh, en) })
      .first()
      .click();
}

/** Opens a menu, and clicks one of its entries unless that is only looked at. */
export function menu(zh: string, en = zh, entry?: string): Step {
  return async ({ page }) => {
    await page
      .getByRole("button", { name: named(zh, en) })
      .first()
      .click();
    const items = page.getByRole("menuitem");
    await items.first().waitFor();
    await (entry === undefined ? null : items.filter({ hasText: entry }).click());
  };
}

/** Ticks every row of the page. */
export const tickAll: Step = ({ page }) =>
  page
    .getByRole("checkbox", { name: named("全选本页", "Select this page") })
    .first()
    .check();

/** A part of the page that something is done in. */
type Scope = (look: Look) => Locator;

/** Fills in fields by their labels; with a bar between, the label in either language. */
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

/** Takes an entry of a list. */
export function choose(label: string, entry: string, scope: Scope = dialogOf): Step {
  return (look) => pick(look.page, scope(look).getByRole("combobox", { name: label }), entry);
}

/** Gives the dialog a file; `{goodFile}` and the like stand for what it holds. */
export function chooseFile(content: string | Buffer, name = "prizes.csv"): Step {
  return async ({ page, ids }) => {
    const buffer = Buffer.from(typeof content === "string" ? filled(content, ids) : content);
    const file = { name, mimeType: "application/octet-stream", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
  };
}

/** Enters a one-time code that is wrong. */
export const enterCode: Step = (look) => dialogOf(look).getByRole("textbox").fill("000000");

/** Clicks the button of the dialog on top that does what the dialog is for. */
export const confirmDialog: Step = (look) => dialogOf(look).getByRole("button").last().click();

/** Saves with nothing entered. */
export const submitEmpty: Step = all(confirmDialog, ({ page }) =>
  page.locator("[role=dialog] [aria-invalid=true]").first().waitFor(),
);
