/** A new screen or dialog needs a place for the long proofs. */
import { expect } from "@playwright/test";
import { openConsole, test } from "../stories/stage.ts";
import { dialogGaps, routeGaps } from "./gaps.ts";

test("every route and every dialog is a place", async ({ page, stage }) => {
  expect(dialogGaps()).toEqual([]);
  const { token } = await stage.operator();
  await openConsole(page, stage, token, "/404");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await routeGaps(page)).toEqual([]);
});
