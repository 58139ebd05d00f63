/** Goes to a place and waits until it stands still with everything on it. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { holdToken } from "./place.ts";
import type { Look, Place } from "./place.ts";

/** What is still on its way; empty once everything is there. */
const UNREADY = `(() => {
  const shown = (selector) =>
    [...document.querySelectorAll(selector)].some((one) => one.checkVisibility({ opacityProperty: true }));
  return [
    ...(shown(".k-skeleton, [aria-busy=true], .ant-skeleton, .ant-spin-spinning, .s-progress") ? ["loading"] : []),
    ...(shown("h1, [role=alert]") ? [] : ["no heading"]),
    ...(document.getAnimations().some((one) => one.playState === "running") ? ["moving"] : []),
    ...(document.fonts.status === "loading" ? ["fonts"] : []),
  ].join(", ");
})()`;

/** Places whose address opens a dialog. */
const OPENS = /[?&](?:new|edit|copy|stock|import|task|grant|dialog|player)=/;

/** Waits until nothing loads and nothing moves. */
export async function settle(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(UNREADY), { timeout: 30_000 }).toBe("");
}

/** Opens the place afresh. */
export async function visit(look: Look, place: Place): Promise<void> {
  const { page, stage, ids, token } = look;
  if (token !== null) {
    await holdToken(page, stage, token);
  }
  const address = `${stage.switchboard.base}/red${place.route}${place.search?.(ids) ?? ""}`;
  await page.goto(address);
  await page.waitForLoadState("networkidle");
  await settle(page);
  if (OPENS.test(address)) {
    await expect(page.getByRole("dialog").first()).toBeVisible();
    await page.waitForLoadState("networkidle");
  }
  await place.open?.(look);
  if (place.above === true || place.dialogs !== undefined) {
    await expect(page.getByRole("dialog").last()).toBeVisible();
  }
  await settle(page);
}
