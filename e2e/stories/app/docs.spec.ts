/** Story 15: an engineer tries a call in the API documentation, an operator opens the guide; both offline. */
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { openConsole, test } from "../stage.ts";

/** Opens a call in its group, with its form. */
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
  const { token } = await stage.operator();
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

test("the guide opens beside the console, with its pictures", async ({ page, stage }) => {
  const { token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/config");
  await page.getByRole("button", { name: /^用户菜单/ }).click();
  const opened = page.context().waitForEvent("page");
  await page.getByRole("menuitem", { name: "运营手册" }).click();
  const guide = await opened;
  await expect(guide).toHaveURL(/\/red\/guide\/$/);
  await expect(guide.getByRole("heading", { level: 1, name: "运营手册" })).toBeVisible();
  const pictures = guide.getByRole("img");
  await expect(pictures.first()).toBeVisible();
  for (const picture of await pictures.all()) {
    await expect(picture).toHaveJSProperty("complete", true);
    await expect(picture).not.toHaveJSProperty("naturalWidth", 0);
  }
  await guide.getByRole("link", { name: "全部暂停" }).click();
  await expect(guide.getByRole("heading", { name: "6. 全部暂停" })).toBeInViewport();
});
