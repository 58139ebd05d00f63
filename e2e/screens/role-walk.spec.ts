/**
 * Each role opens every entry of its menu and every place that the console offers it, and presses there: no call is
 * refused, no page breaks. What is not offered is absent, or disabled with its reason.
 */
import { expect } from "@playwright/test";
import type { Page, Request, Response, Route } from "@playwright/test";
import { dig, parsed } from "../outside/json.ts";
import { confirmDialog, dialogOf, filled, holdToken, submitEmpty } from "./places/place.ts";
import type { Look, Place, Step } from "./places/place.ts";
import { PLACES } from "./places/places.ts";
import { test } from "./stage.ts";
import type { ScreenStage } from "./stage.ts";
import { arrive, openUp, settle } from "./visit.ts";
import { fillWithLongest } from "./longest-data.ts";
import type { Ids } from "./longest-data.ts";

const ONLY = process.env["PROVE_ONLY"] ?? "";
const ROLES = ["admin", "operations", "support", "finance", "risk", "viewer"].filter((role) =>
  role.includes(ONLY),
);
/** Left out: places made to break, another operator's jobs, and states of forms. */
const APART = /^(?:page-failed|part-lost|error-log|logged-out|404|401|job|pick-.*|.*-missing)$/;
const places = PLACES.filter(
  ({ name, outside, narrow }) => !APART.test(name) && outside !== true && narrow !== true,
).slice(0, Number(process.env["PROVE_N"] ?? PLACES.length));

/** How long a control may take to appear. */
const STEP_MS = 4_000;

/** What one role met; `troubles` has each refused call too. */
interface Walk {
  readonly look: Look;
  readonly opened: string[];
  readonly closed: string[];
  readonly troubles: string[];
  pressed: number;
}

/** Makes a write harmless: the server checks rights before the body and the object. */
async function blunt(route: Route, request: Request): Promise<void> {
  const url = request.url().replaceAll(/\/\d+(?=\/|$)/g, "/0");
  if (request.method() === "GET") {
    await route.continue();
  } else if (request.postDataBuffer() !== null) {
    await route.continue({ postData: "{" });
  } else {
    await (url === request.url() ? route.abort() : route.continue({ url }));
  }
}

const CALLS = /\/gred\/|\/red\/(?:player|award)\//;

async function isRefused(response: Response): Promise<boolean> {
  const isJson = response.headers()["content-type"]?.includes("json") === true;
  const text = isJson && CALLS.test(response.url()) ? await response.text().catch(() => "") : "";
  return response.status() === 403 || dig(parsed(text), "code") === 403;
}

/** True when the control is absent, or disabled with a reason; otherwise its target failed to appear. */
function isClosed(fault: unknown): boolean {
  const told = String(fault);
  const isThere = told.includes("locator resolved to");
  const isBarred =
    told.includes("element is not enabled") && /resolved to <[^>]* title="[^"]/.test(told);
  return /locator\.(?:click|check|fill|focus|setInputFiles)/.test(told) && (!isThere || isBarred);
}

/** Opens the place if the console offers it. Throws when it is offered and does not open. */
async function enter(look: Look, place: Place): Promise<boolean> {
  const { page, ids } = look;
  const dialog = page.getByRole("dialog").first();
  if ((await arrive(look, place)) && !(await dialog.isVisible())) {
    const name = place.opener && filled(place.opener, ids);
    const offered = page.getByRole("button", { name: name ?? "no opener", disabled: false });
    expect(await offered.count(), `offered but not opened: ${name}`).toBe(0);
    return false;
  }
  if (new URL(page.url()).pathname === "/red/401") {
    return false;
  }
  return await openUp(look, place).then(
    () => true,
    (fault: unknown) => {
      if (isClosed(fault)) {
        return false;
      }
      throw fault;
    },
  );
}

const fillAll: Step = async (look) => {
  for (const field of await dialogOf(look).locator("input:visible, textarea:visible").all()) {
    if ((await field.getAttribute("type")) !== "file" && (await field.inputValue()) === "") {
      await field.fill("111111").catch(() => {});
    }
  }
};

/** Presses what the place is for, or each entry of its menu. */
async function press({ look }: Walk, place: Place): Promise<void> {
  const { page } = look;
  const entries = page.getByRole("menuitem").filter({ visible: true });
  const count = await entries.count();
  for (let at = 1; at < count; at += 1) {
    await entries.nth(at).click();
    await page.waitForTimeout(300);
    await arrive(look, place);
    await openUp(look, place);
  }
  if (count > 0) {
    await entries.first().click();
  } else if (place.fail !== undefined && place.fail !== submitEmpty) {
    await place.fail(look);
  } else if (place.above === true) {
    await fillAll(look);
    await confirmDialog(look);
  }
  await page.waitForTimeout(300);
  await settle(page, place);
}

async function goTo(walk: Walk, place: Place): Promise<void> {
  const { look, opened, closed, troubles } = walk;
  const { page } = look;
  try {
    const isOpen = await enter(look, place);
    (isOpen ? opened : closed).push(place.name);
    expect(
      await page.locator(".e-page[role=alert], .k-empty[role=alert]").allTextContents(),
    ).toEqual([]);
    if (isOpen) {
      await page.route(CALLS, blunt);
      // A press that fails is no fault.
      await press(walk, place).catch(() => {});
      await page.unroute(CALLS);
    }
    expect(await page.locator(".e-page[role=alert]").count(), "broken").toBe(0);
  } catch (fault) {
    troubles.push(`${place.name}: ${String(fault).slice(0, 600)}`);
  }
}

/** Opens each entry of the menu. */
async function goThroughMenu({ look, troubles }: Walk): Promise<number> {
  const { page, stage, token } = look;
  await holdToken(page, stage, token ?? "");
  await page.goto(`${stage.switchboard.base}/red/activity_manage/own`);
  const links = page.locator("nav.s-menu a");
  await links.first().waitFor();
  const all = await links.all();
  for (const link of all) {
    const href = await link.getAttribute("href");
    await link.click();
    await expect(page).toHaveURL(({ pathname }) => pathname === href);
    await settle(page);
    const wrong = await page.locator(".e-page, .k-empty[role=alert]").allTextContents();
    troubles.push(...wrong.map((text) => `menu ${href}: ${text}`));
  }
  return all.length;
}

/** Records refused calls and thrown errors of the page. */
function listen(page: Page, walk: Walk): void {
  page.on("response", (response) => {
    const isWrite = !["GET", "OPTIONS"].includes(response.request().method());
    walk.pressed += isWrite && CALLS.test(response.url()) ? 1 : 0;
    void isRefused(response).then((is) => {
      if (is) {
        const call = `${response.request().method()} ${response.url()}`;
        walk.troubles.push(`${call} is refused on ${page.url()}`);
      }
    });
  });
  page.on("pageerror", (error) => walk.troubles.push(`${page.url()}: ${String(error)}`));
}

async function walkAs(
  { system: stage, seats }: ScreenStage,
  ids: Ids,
  role: string,
): Promise<Walk> {
  const name = `walk-${role}`;
  const { token } = await stage.operator(name);
  const { code, err } = await stage.redctl(`admin roles ${name} ${role} --json`);
  expect(code, err).toBe(0);
  // The last of the list is another operator.
  await stage.redctl(`admin create zz-${role} --json`);
  const { inside: page, close } = await seats("wide", "zh", ids);
  page.setDefaultTimeout(STEP_MS);
  page.setDefaultNavigationTimeout(60_000);
  const look = { page, ids, stage, token };
  const walk: Walk = { look, opened: [], closed: [], troubles: [], pressed: 0 };
  listen(page, walk);
  const entries = await goThroughMenu(walk);
  for (const place of places) {
    await goTo(walk, place);
  }
  await close();
  const { opened, closed, troubles, pressed } = walk;
  process.stdout.write(
    `${role}: ${entries} entries, ${opened.length} places opened, ${closed.length} closed, ${pressed} writes and searches, ${troubles.length} troubles\n  closed: ${closed.join(" ")}\n`,
  );
  troubles.forEach((one) => process.stdout.write(`  ${one}\n`));
  return walk;
}

test("no role is shown what is refused", async ({ stage }) => {
  test.setTimeout(7_200_000);
  const ids = await fillWithLongest(stage);
  const wrong: string[] = [];
  for (const role of ROLES) {
    const { closed, troubles } = await walkAs(stage, ids, role);
    // To an administrator all is open.
    wrong.push(...troubles, ...(role === "admin" ? closed : []));
  }
  expect(wrong).toEqual([]);
});
