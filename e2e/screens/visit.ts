/** Opens a place and waits until everything has loaded and stands still. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { filled, holdToken } from "./places/place.ts";
import type { Look, Place } from "./places/place.ts";

/** Shown while a call is under way. */
const BUSY = "[aria-busy=true], .s-progress";

/** What is still loading; empty when nothing is. */
const unready = (loading: string) => `(() => {
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].some((one) => one.checkVisibility({ opacityProperty: true }));
  return [
    ...(shown("${loading}") ? ["loading"] : []),
    ...(shown("h1, [role=alert]") ? [] : ["no heading"]),
    ...(document.getAnimations().some((one) => one.playState === "running") ? ["moving"] : []),
    ...(document.fonts.status === "loading" ? ["fonts"] : []),
  ].join(", ");
})()`;

/** Addresses that open a dialog. */
const OPENS = /[?&](?:new|edit|copy|grid|stock|import|task|grant|dialog|player|changes)=/;

/** Waits until nothing loads or moves; with a held call, until nothing else does. */
export async function settle(page: Page, { held }: Pick<Place, "held"> = {}): Promise<void> {
  const loading = `.k-skeleton, .ant-skeleton, .ant-spin-spinning${held === undefined ? `, ${BUSY}` : ""}`;
  await expect.poll(() => page.evaluate(unready(loading)), { timeout: 30_000 }).toBe("");
}

/** Waits until the page is rendered in this theme, since a mix of two themes would show false faults. */
export async function showTheme(page: Page, colorScheme: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
}

/** Opens the address of the place; answers whether it opens a dialog. */
export async function arrive(look: Look, place: Place): Promise<boolean> {
  const { page, stage, ids, token } = look;
  stage.switchboard.hold(null);
  if (token !== null) {
    await holdToken(page, stage, token);
  }
  const address = `${stage.switchboard.base}/red${filled(place.at, ids)}`;
  await page.goto(address);
  // A stream never ends.
  await (address.match(/\/(?:overview|board)/)
    ? page.locator("[data-live=true]").waitFor()
    : page.waitForLoadState("networkidle"));
  await settle(page);
  return OPENS.test(address);
}

/** Goes from the page to the place's state. */
export async function openUp(look: Look, place: Place): Promise<void> {
  const { page, stage } = look;
  stage.switchboard.hold(place.held ?? null);
  await place.open?.(look);
  if (place.above === true || place.dialogs !== undefined) {
    await expect(page.getByRole("dialog").last()).toBeVisible();
  }
  await settle(page, place);
}

export async function visit(look: Look, place: Place): Promise<void> {
  if (await arrive(look, place)) {
    await expect(look.page.getByRole("dialog").first()).toBeVisible();
    await look.page.waitForLoadState("networkidle");
  }
  await openUp(look, place);
}

/**
 * Opens another address in the running console, like its links do, by way of a page without the shell: that closes
 * toasts and questions of the previous page.
 */
export async function goOn(page: Page, address: string): Promise<void> {
  // A page that is navigating itself ignores this, so it is repeated until `isThere`.
  const go = async (path: string, isThere: string) =>
    await expect(async () => {
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/red${path}`)})`);
      await page.waitForFunction(isThere, null, { timeout: 5_000 });
    }).toPass({ timeout: 20_000 });
  const isBare = '[...document.links].some((link) => link.textContent === "Back to home")';
  await go("/404", isBare);
  await page.locator(".ant-message-notice").waitFor({ state: "detached" });
  await go(address, `location.pathname === "/red/404" || !(${isBare})`);
}
