/** Filling in forms by keys, and exporting files. */
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";

/** Opens a list by key, types the entry's name, and chooses it. */
export async function pick(page: Page, list: Locator, entry: string): Promise<void> {
  await list.focus();
  await page.keyboard.press("ArrowDown");
  // A searchable list may be long, and renders only a part.
  if ((await list.getAttribute("readonly")) === null) {
    await page.keyboard.insertText(entry);
  }
  const option = page.locator(".ant-select-dropdown:visible .ant-select-item-option", {
    hasText: entry,
  });
  await expect(option.first()).toBeVisible({ timeout: 30_000 });
  for (const _step of Array.from({ length: 12 })) {
    if ((await option.first().getAttribute("class"))?.includes("option-active") === true) {
      break;
    }
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await expect(option).toBeHidden();
}

/** Replaces the text of a field. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await field.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Tab");
  await expect(field).toHaveValue(text);
}

/** Enters a name and a password on the sign-in page. */
export async function signInAs(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel("用户名").fill(name);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await page.getByRole("button", { name: "登录" }).click();
}

/** Exports with this button and this entry of its menu; answers the file. */
export async function exported(
  page: Page,
  button: string,
  entry: "Excel（xlsx）" | "CSV",
): Promise<Buffer> {
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
  return await readFile(await (await downloading).path());
}
