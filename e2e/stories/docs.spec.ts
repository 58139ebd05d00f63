/** Story 15: an engineer reads the documentation of the calls and tries one, without a network beyond ours. */
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { test } from "./stage.ts";

/** Opens a call in its group, ready to be filled in. */
async function open(page: Page, group: string, call: string): Promise<Locator> {
  await page.getByRole("link", { name: group, exact: true }).click();
  const button = page.getByRole("button", { name: call, exact: true });
  await button.click();
  const block = page.locator(".opblock", { has: button });
  await block.getByRole("button", { name: "Try it out" }).click();
  return block;
}

test("the documentation works by itself and breaks no rule of the page", async ({
  page,
  stage,
}) => {
  const said: string[] = [];
  page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (fault) => said.push(fault.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${stage.switchboard.base}/red/docs`)) {
      said.push(`asks for ${request.url()}`);
    }
  });
  await page.goto(`${stage.switchboard.base}/red/docs`);
  await expect(page).toHaveTitle("red packet API");
  await expect(page.getByRole("heading", { name: /^red packet/ })).toBeVisible();
  await expect(page.getByText("Explore")).toHaveCount(0);
  await expect(page.getByRole("img", { name: /swagger/i })).toHaveCount(0);

  const upload = await open(page, "prize", "post /gred/api/prize/import");
  await expect(upload.locator("input[type=file]")).toBeVisible();
  await expect(upload.getByText("pool_name", { exact: true })).toBeVisible();
  expect(said).toEqual([]);
});

test("a call is tried from the documentation", async ({ page, stage }) => {
  const { token } = await stage.operator("engineer");
  await page.goto(`${stage.switchboard.base}/red/docs`);
  await page.getByRole("button", { name: "Authorize" }).click();
  const credentials = page.locator(".auth-container", { hasText: "accessToken" });
  await credentials.getByRole("textbox").fill(token);
  await credentials.getByRole("button", { name: "Apply credentials" }).click();
  await credentials.getByRole("button", { name: "Close" }).click();
  const call = await open(page, "activity", "get /gred/api/extratimes/tags");
  await call.getByRole("button", { name: "Execute" }).click();
  await expect(call.getByText("周末红包")).toBeVisible();
});
