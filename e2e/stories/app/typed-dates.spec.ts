/** Dates by keyboard: Tab moves through the filters of every list, past empty ranges too; typed days are completed. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { openConsole, test } from "../stage.ts";

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

test("days typed for a new round get their first and their last second", async ({
  page,
  stage,
}) => {
  const { token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/config?new=1");
  const field = (label: string) => page.getByRole("dialog").getByLabel(label);
  await expect(field("活动名称")).toBeFocused();
  await field("活动开始时间").fill("2026-11-22");
  await field("活动结束时间").fill("2026/11/22");
  await page.keyboard.press("Tab");
  await expect(field("活动开始时间")).toHaveValue("2026-11-22 00:00:00");
  await expect(field("活动结束时间")).toHaveValue("2026-11-22 23:59:59");
});
