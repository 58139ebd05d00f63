/** Goes to a place and waits until it stands still with everything on it. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { filled, holdToken } from "./places/place.ts";
import type { Look, Place } from "./places/place.ts";

/** What tells that a call is under way. */
const BUSY = "[aria-busy=true], .s-progress";

/** What is still on its way; empty once everything is there. */
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

/** Places whose address opens a dialog. */
const OPENS = /[?&](?:new|edit|copy|stock|import|task|grant|dialog|player)=/;

/** Waits until nothing loads and nothing moves; with a call that is held, until all else does not. */
export async function settle(page: Page, { held }: Pick<Place, "held"> = {}): Promise<void> {
  const loading = `.k-skeleton, .ant-skeleton, .ant-spin-spinning${held === undefined ? `, ${BUSY}` : ""}`;
  await expect.poll(() => page.evaluate(unready(loading)), { timeout: 30_000 }).toBe("");
}

/** Opens the place afresh. */
export async function visit(look: Look, place: Place): Promise<void> {
  const { page, stage, ids, token } = look;
  stage.switchboard.hold(null);
  if (token !== null) {
    await holdToken(page, stage, token);
  }
  const address = `${stage.switchboard.base}/red${filled(place.at, ids)}`;
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  await settle(page);
  if (OPENS.test(address)) {
    await expect(page.getByRole("dialog").first()).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
  stage.switchboard.hold(place.held ?? null);
  await place.open?.(look);
  if (place.above === true || place.dialogs !== undefined) {
    await expect(page.getByRole("dialog").last()).toBeVisible();
  }
  await settle(page, place);
}

/**
 * Opens another address of the console that runs already, as its links do. On the way lies a page without
 * the shell: toasts and questions of the page before end there.
 */
export async function goOn(page: Page, address: string): Promise<void> {
  // A page that is on its way itself when this is said goes to where it wanted: it is told again.
  await expect(async () => {
    await page.evaluate('history.pushState(null, "", "/red/404")');
    await page.getByRole("link", { name: "Back to home" }).waitFor({ timeout: 5_000 });
  }).toPass({ timeout: 20_000 });
  await page.locator(".ant-message-notice").waitFor({ state: "detached" });
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/red${address}`)})`);
}
