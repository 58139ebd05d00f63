/** How a fact is checked: each kind answers what the user sees. */
import type { Locator, Page } from "@playwright/test";

const NOTHING = "(nothing)";

/** What the user sees; the fact holds when it equals `expected`. */
type Look = (
  page: Page,
  fact: { readonly target: string; readonly expected: string },
) => Promise<string>;

/** Roles whose accessible name is the fact; `target` names the part of the screen. */
const ROLES = [
  "button",
  "checkbox",
  "combobox",
  "dialog",
  "heading",
  "img",
  "link",
  "listitem",
  "menuitem",
  "radio",
  "rowheader",
  "switch",
  "tab",
] as const;

/** The dialog, form, table or region of this accessible name; the whole page for an empty name. */
function part(page: Page, name: string): Page | Locator {
  if (name === "") {
    return page;
  }
  const [first, ...others] = (
    ["dialog", "search", "table", "region", "navigation", "group", "complementary"] as const
  ).map((role) => page.getByRole(role, { name, exact: true }));
  return others.reduce((all, one) => all.or(one), first ?? page.locator("nothing"));
}

async function isSeen(found: Locator): Promise<boolean> {
  return (await found.filter({ visible: true }).count()) > 0;
}

async function textsOf(found: Locator): Promise<string[]> {
  const texts = await found.filter({ visible: true }).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
}

/** Controls of this name; both ends of a range, whose names say which end. A password has no role, only a label. */
function controls(within: Page | Locator, name: string): Locator {
  const named = { name, exact: true };
  return within
    .getByRole("textbox", named)
    .or(within.getByRole("combobox", named))
    .or(within.getByRole("spinbutton", named))
    .or(within.getByRole("button", named))
    .or(within.getByLabel(name, { exact: true }))
    .or(within.getByLabel(`${name} 开始时间`, { exact: true }))
    .or(within.getByLabel(`${name} 结束时间`, { exact: true }))
    .filter({ visible: true });
}

/** The topmost one, since a dialog may repeat a name of the page. */
function control(page: Page, name: string): Locator {
  return controls(page, name).last();
}

async function headersOf(page: Page, table: string): Promise<string[]> {
  const all = page.getByRole("table", { name: table }).getByRole("columnheader");
  return (await textsOf(all)).filter((text) => text !== "");
}

/** `table|row|column` → the cell, in the first row with that text. */
async function cell(page: Page, target: string): Promise<Locator> {
  const [name = "", text = "", column = ""] = target.split("|");
  const table = page.getByRole("table", { name });
  const headers = await table.locator("thead th").allInnerTexts();
  const at = headers.findIndex((header) => header.trim() === column);
  const row = table.locator("tbody tr").filter({ hasText: text }).first();
  return row.locator("th, td").nth(at < 0 ? 999 : at);
}

async function textOf(found: Locator): Promise<string> {
  const [text = NOTHING] = await textsOf(found);
  return text;
}

async function optionsOf(page: Page, label: string): Promise<string> {
  const open = page.locator(".ant-select-dropdown:visible");
  const list = control(page, label);
  if ((await list.getAttribute("aria-expanded")) !== "true") {
    await list.press("ArrowDown");
  }
  const options = open.locator(".ant-select-item-option-content");
  await options.first().waitFor();
  const texts = await options.allInnerTexts();
  // Once the list is closed, Escape would close the dialog too.
  await list.blur();
  await open.waitFor({ state: "hidden" });
  return texts.join("|");
}

/** The closest of blue, red and grey to the colour of a text. */
async function hueOf(found: Locator): Promise<string> {
  const [r = 0, g = 0, b = 0] = await found
    .locator("span")
    .first()
    .evaluate((element) => {
      const page = element.ownerDocument;
      const context = page.createElement("canvas").getContext("2d");
      if (context === null) {
        return [];
      }
      // The canvas converts every notation of a colour.
      context.fillStyle = page.defaultView?.getComputedStyle(element).color ?? "";
      context.fillRect(0, 0, 1, 1);
      return [...context.getImageData(0, 0, 1, 1).data];
    });
  if (Math.max(r, g, b) - Math.min(r, g, b) < 30) {
    return "grey";
  }
  return b > r && b > g ? "blue" : r > g ? "red" : "green";
}

/** Parts of the pager from left to right. */
async function pagerOrder(page: Page): Promise<string> {
  const pager = page.getByRole("navigation", { name: "分页" });
  const parts: Record<string, Locator> = {
    total: pager.getByText(/^共 [\d,]+ 条$/),
    sizes: pager.getByRole("combobox", { name: "每页条数" }),
    prev: pager.getByRole("button", { name: "上一页" }),
    pager: pager.getByRole("listitem").filter({ hasText: /^1$/ }),
    next: pager.getByRole("listitem", { name: "下一页" }).or(pager.getByTitle("下一页")),
    jumper: pager.getByText("跳至"),
  };
  const places = await Promise.all(
    Object.entries(parts).map(async ([name, found]) => {
      const box = await found.first().boundingBox();
      return { name, x: box?.x ?? -1 };
    }),
  );
  const inOrder = places.filter(({ x }) => x >= 0).toSorted((a, b) => a.x - b.x);
  return inOrder.map(({ name }) => name).join("|");
}

const byRole = Object.fromEntries(
  ROLES.map((role): [string, Look] => [
    role,
    async (page, { target, expected }) =>
      (await isSeen(part(page, target).getByRole(role, { name: expected, exact: true })))
        ? expected
        : NOTHING,
  ]),
);

/** Opens it and answers the address where that ended. */
async function leadsTo(page: Page, target: string): Promise<string> {
  await page.goto(new URL(target, page.url()).href, { timeout: 8_000, waitUntil: "commit" });
  await page.getByRole("heading", { level: 1 }).waitFor({ timeout: 8_000 });
  return addressOf(page);
}

function addressOf(page: Page): string {
  return decodeURIComponent(page.url().replace(/^\w+:\/\/[^/]+/, ""));
}

const seeing: Readonly<Record<string, Look>> = {
  ...byRole,
  title: (page) => page.title(),
  /** Path and query of the address. */
  address: (page) => Promise.resolve(addressOf(page)),
  leads: (page, { target }) => leadsTo(page, target),
  h1: (page) => textOf(page.getByRole("heading", { level: 1 })),
  text: async (page, { target, expected }) =>
    (await isSeen(part(page, target).getByText(expected, { exact: true }))) ? expected : NOTHING,
  absent: async (page, { target, expected }) =>
    (await isSeen(part(page, target).getByText(expected))) ? "it is there" : expected,
  /** No control has this name. */
  "no-control": async (page, { expected }) =>
    (await isSeen(page.getByLabel(expected, { exact: true }))) ? "it is there" : expected,
  label: async (page, { target, expected }) =>
    (await isSeen(controls(part(page, target), expected))) ? expected : NOTHING,
  /** How often a text is visible. */
  count: async (page, { target }) =>
    String((await textsOf(page.getByText(target, { exact: true }))).length),
  /** The expected toast, else all toasts: the bell may show an earlier act beside it. */
  toast: async (page, { expected }) => {
    const toasts = await textsOf(page.locator(".ant-message-notice, .l-toast"));
    return toasts.includes(expected) ? expected : toasts.join("|") || NOTHING;
  },
  "text-of": (page, { target }) => textOf(page.locator(target)),
  rows: async (page, { target }) =>
    String(await page.getByRole("table", { name: target }).getByRole("rowheader").count()),
  alert: (page) => textOf(page.getByRole("alert")),
};

/** What a field shows: the entry of a list, or a text. */
async function fieldText(page: Page, label: string): Promise<string> {
  const field = control(page, label);
  const list = field.locator("xpath=ancestor::*[contains(@class,'ant-select')][last()]");
  return (await list.count()) > 0 ? await textOf(list) : await field.inputValue();
}

const reading: Readonly<Record<string, Look>> = {
  value: (page, { target }) => control(page, target).inputValue(),
  chosen: (page, { target }) => fieldText(page, target),
  /** Several fields, as `label|label`. */
  fields: async (page, { target }) =>
    (await Promise.all(target.split("|").map((label) => fieldText(page, label)))).join("|"),
  range: async (page, { target }) => {
    const ends = controls(page, target);
    return (await Promise.all([ends.first().inputValue(), ends.last().inputValue()])).join(" ~ ");
  },
  options: (page, { target }) => optionsOf(page, target),
  disabled: async (page, { target }) =>
    (await control(page, target).isDisabled()) ? "disabled" : "enabled",
  checked: async (page, { target }) =>
    (await textsOf(part(page, target).locator("label:has(input:checked)"))).join("|") || NOTHING,
  selected: (page) => textOf(page.getByRole("tab", { selected: true })),
  "last-tab": async (page) => (await textsOf(page.getByRole("tab"))).at(-1) ?? NOTHING,
  /** Types `expected` of `label=typed` and reads the field. */
  typing: async (page, { target }) => {
    const [label = "", typed = ""] = target.split("=");
    await control(page, label).fill("");
    await control(page, label).pressSequentially(typed);
    return await control(page, label).inputValue();
  },
  columns: async (page, { target, expected }) => {
    const wanted = expected.split("|");
    const headers = await headersOf(page, target);
    return headers.filter((header) => wanted.includes(header)).join("|");
  },
  cell: async (page, { target }) => textOf(await cell(page, target)),
  hue: async (page, { target }) => hueOf(await cell(page, target)),
  definition: async (page, { target }) =>
    textOf(
      page
        .locator("dl > div")
        .filter({ has: page.getByText(target, { exact: true }) })
        .locator("dd"),
    ),
  attribute: async (page, { target }) => {
    const [selector = "", name = ""] = target.split("|");
    return (await page.locator(selector).first().getAttribute(name)) ?? NOTHING;
  },
  /** A style property, such as `html|--theme`. */
  property: async (page, { target }) => {
    const [selector = "", name = ""] = target.split("|");
    return await page
      .locator(selector)
      .first()
      .evaluate(
        (element, key) =>
          element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(key) ?? "",
        name,
      );
  },
  /** Computed width of a dialog or complementary region, in CSS pixels. */
  width: async (page, { target }) => {
    const [role = "", name = ""] = target.split("|");
    const found =
      role === "dialog"
        ? page.getByRole("dialog", name === "" ? {} : { name, exact: true })
        : page.getByRole("complementary").first();
    const box = await found.first().boundingBox();
    return box === null ? NOTHING : String(Math.round(box.width));
  },
  pager: (page) => pagerOrder(page),
  cookie: async (page, { target }) => {
    const found = (await page.context().cookies()).find(({ name }) => name === target);
    return found === undefined ? NOTHING : target === "Admin-Token" ? "set" : found.value;
  },
  storage: async (page, { target }) => {
    const { origins } = await page.context().storageState();
    const kept = origins.flatMap(({ localStorage }) => localStorage);
    return kept.find(({ name }) => name === target)?.value ?? NOTHING;
  },
};

/** Kinds that change the page: run one at a time, after the kinds that only read. */
export const ACTIVE: ReadonlySet<string> = new Set(["leads", "options", "typing"]);

/** Kinds that expect an absence, which a screen that has not loaded shows too. */
export const NEGATIVE: ReadonlySet<string> = new Set(["absent", "no-control"]);

export const KINDS: Readonly<Record<string, Look>> = { ...seeing, ...reading };
