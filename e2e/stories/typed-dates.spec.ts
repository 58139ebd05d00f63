/**
 * Dates by keyboard: Tab moves through the filters of every list, past empty ranges too; typed text is completed or
 * refused at its field, never dropped.
 */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { openConsole, test } from "./stage.ts";

/** Accessible name of the focused element. */
async function focused(page: Page): Promise<string> {
  return await page.evaluate<string>(`(() => {
    const { activeElement: box } = document;
    const labels = [...(box.labels ?? [])].map((label) => label.textContent).join();
    return box.getAttribute("aria-label") ?? (labels || box.textContent);
  })()`);
}

/** Presses a key until `last` has the focus, a limited number of times; answers the names on the way. */
async function walk(page: Page, key: "Tab" | "Shift+Tab", last: string): Promise<string[]> {
  const names = [await focused(page)];
  while (names.at(-1) !== last && names.length < 15) {
    await page.keyboard.press(key);
    names.push(await focused(page));
  }
  return names;
}

/** The controls of each page's filters, without the buttons that all have. */
const LISTS: readonly [address: string, ...names: string[]][] = [
  ["distribution", "活动ID", "流水号", "参与时间 开始时间", "参与时间 结束时间", "收起"],
  [
    "deposit_bet",
    "账号",
    "时间范围 开始时间",
    "时间范围 结束时间",
    "活动日期",
    "存款渠道",
    "客户端",
    "收起",
  ],
  ["query", "活动日期", "活动名称", "条件时间 开始时间", "条件时间 结束时间", "账号"],
];

test("Tab leads through the filters, to and fro", async ({ page, stage }) => {
  const { token } = await stage.operator();
  for (const [address, ...names] of LISTS) {
    const order = [...names, "视图", "重置", "查询"];
    const [first = ""] = names;
    await openConsole(page, stage, token, `/activity_manage/${address}`);
    const search = page.getByRole("search");
    if (order.includes("收起")) {
      await search.getByRole("button", { name: "展开" }).click();
    }
    await search.getByRole("textbox", { name: first, exact: true }).focus();
    expect(await walk(page, "Tab", "查询")).toEqual(order);
    expect(await walk(page, "Shift+Tab", first)).toEqual(order.toReversed());

    // The same with the calendar open; Escape only closes that.
    const range = order.filter((name) => name.endsWith("时间"));
    const days = page.locator(".ant-picker-dropdown:visible");
    for (const name of range) {
      const end = search.getByRole("textbox", { name, exact: true });
      await end.click();
      await expect(days).toHaveCount(1);
      await page.keyboard.press("Escape");
      await expect(days).toHaveCount(0);
      await expect(end).toBeFocused();
      expect(await walk(page, "Tab", "查询")).toEqual(order.slice(order.indexOf(name)));
    }
  }
});

test("a typed day is completed, and what cannot be read is refused", async ({ page, stage }) => {
  const { token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/deposit_bet");
  const search = page.getByRole("search");
  const start = search.getByLabel("时间范围 开始时间");
  const end = search.getByLabel("时间范围 结束时间");
  const ask = search.getByRole("button", { name: "查询", exact: true });
  await start.focus();
  await page.keyboard.type("2026-11-01");
  await page.keyboard.press("Tab");
  await page.keyboard.type("20261120");
  await ask.click();
  await expect(page).toHaveURL(/start_time=2026-11-01\+00%3A00%3A00/);
  await expect(page).toHaveURL(/end_time=2026-11-20\+23%3A59%3A59/);
  await expect(start).toHaveValue("2026-11-01 00:00:00");
  await expect(end).toHaveValue("2026-11-20 23:59:59");

  const asked = page.url();
  await end.fill("下周一");
  await ask.click();
  await expect(search.getByText("时间填写有误")).toBeVisible();
  await expect(end).toHaveValue("下周一");
  await end.fill("");
  await ask.click();
  await expect(search.getByText("请同时填写开始时间和结束时间")).toBeVisible();
  await end.fill("2026/11/21 09:30");
  await expect(search.getByText("请同时填写开始时间和结束时间")).toBeVisible();
  expect(page.url()).toBe(asked);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/end_time=2026-11-21\+09%3A30%3A00/);
  await expect(end).toHaveValue("2026-11-21 09:30:00");

  await openConsole(page, stage, token, "/activity_manage/config");
  const day = search.getByLabel("活动开始日期");
  await day.focus();
  await page.keyboard.type("20261122");
  await ask.click();
  await expect(page).toHaveURL(/start_date=2026-11-22/);
  await expect(day).toHaveValue("2026-11-22");
  await day.focus();
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe("活动名称");
  await day.fill("22 Nov");
  await page.keyboard.press("Enter");
  await expect(search.getByText("日期填写有误")).toBeVisible();
  await expect(day).toHaveValue("22 Nov");
  await expect(page).toHaveURL(/start_date=2026-11-22/);

  await openConsole(page, stage, token, "/activity_manage/config?new=1");
  const dialog = page.getByRole("dialog", { name: "新增活动" });
  await expect(dialog.getByLabel("活动名称")).toBeFocused();
  await dialog.getByLabel("活动开始时间").fill("2026-11-22");
  await dialog.getByLabel("活动结束时间").fill("2026/11/22");
  await page.keyboard.press("Tab");
  await expect(dialog.getByLabel("活动开始时间")).toHaveValue("2026-11-22 00:00:00");
  await expect(dialog.getByLabel("活动结束时间")).toHaveValue("2026-11-22 23:59:59");
  await dialog.getByLabel("条件结束时间").fill("later");
  await page.keyboard.press("Tab");
  await expect(dialog.getByText("时间填写有误")).toBeVisible();
  await expect(dialog.getByLabel("条件结束时间")).toHaveValue("later");
});
