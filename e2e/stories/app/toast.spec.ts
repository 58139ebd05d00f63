import { expect } from "@playwright/test";
import { openConsole, test } from "../stage.ts";

test("a toast covers neither the search nor a drawer's title, and leaves nothing behind", async ({
  page,
  stage,
}) => {
  const { token } = await stage.operator();
  await stage.platform.register("toasts01");
  await openConsole(page, stage, token, "/activity_manage/config?player=toasts01");
  const drawer = page.getByRole("dialog", { name: /toasts01/ });
  await expect(drawer.getByText("还没有抽过奖。")).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^网络已断开/)).toBeVisible();
  await drawer.getByRole("tab", { name: "存款" }).click();
  await expect(page.getByText("加载失败").first()).toBeVisible();
  await page.context().setOffline(false);
  const toast = page.getByRole("alert").filter({ hasText: "已恢复连接" });
  const { y = 0 } = (await toast.boundingBox()) ?? {};
  for (const above of [drawer.locator(".ant-drawer-header"), page.locator("header")]) {
    const box = await above.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(y);
  }
  await expect(toast).toHaveCount(0);
  // What was on the page comes back by itself.
  await expect(page.getByText("加载失败")).toHaveCount(0);
});
