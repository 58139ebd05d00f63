/** The shell around the screens: bars, settings, tags, widths, languages. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

let token = "";

// Many small steps on a possibly busy machine.
test.setTimeout(180_000);

test.beforeAll(async ({ stage }) => {
  ({ token } = await stage.operator());
});

const title = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const tool = (page: Page, name: string | RegExp) =>
  page.getByRole("banner").getByRole("button", { name });
const menu = (page: Page) => page.getByRole("navigation", { name: "主导航" });
const tags = (page: Page) => page.getByRole("navigation", { name: "已打开的页面" });

async function open(page: Page, stage: Stage, route = "/activity_manage/config"): Promise<void> {
  await openConsole(page, stage, token, route);
}

/** From the browser's cookie store, not from the page. */
async function cookie(page: Page, name: string): Promise<string | undefined> {
  return (await page.context().cookies()).find((each) => each.name === name)?.value;
}

test("what an operator sets acts at once and is kept", async ({ page, stage }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, stage);
  const html = page.locator("html");
  const sidebar = page.locator("aside").filter({ has: menu(page) });
  const brand = page.getByRole("link", { name: "red packet" });
  const query = page.getByRole("button", { name: "查询", exact: true });
  const panel = page.getByRole("dialog", { name: "界面设置" });
  await expect(sidebar).toHaveCSS("width", "210px");
  await expect(html).toHaveAttribute("data-theme", "dark");
  await tool(page, "主题").click();
  await page.getByRole("menuitem", { name: "浅色" }).click();
  await expect(html).toHaveAttribute("data-theme", "light");
  await tool(page, "收起侧栏").click();
  await expect(sidebar).toHaveCSS("width", "54px");
  expect(await cookie(page, "sidebarStatus")).toBe("0");
  await expect(query).toHaveCSS("height", "32px");
  await expect(brand).toBeVisible();
  await expect(panel).toBeHidden();

  await tool(page, "界面设置").click();
  await expect(html).toHaveCSS("--theme", "#409EFF");
  await panel.getByRole("radio", { name: "#6959CD" }).check();
  await expect(html).toHaveCSS("--theme", "#6959CD");
  // Text and controls stay readable with the new colour: the panel shows the contrast.
  await expect(panel.getByText(/对比度/)).toHaveText(/ (?:4\.[6-9]|[5-9]\.\d|1\d\.\d):1$/);
  await panel.getByText("紧凑", { exact: true }).click();
  await expect(query).toHaveCSS("height", "24px");
  expect(await cookie(page, "size")).toBe("small");
  await panel.getByRole("switch", { name: "侧栏 Logo" }).click();
  await expect(brand).toBeHidden();
  await panel.getByRole("switch", { name: "固定顶栏" }).click();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await tool(page, "English").click();
  await expect(title(page, "Activities")).toBeVisible();

  await page.reload();
  await expect(title(page, "Activities")).toBeVisible();
  await expect(page).toHaveTitle("Activities - red packet");
  await expect(html).toHaveAttribute("lang", "en");
  await expect(html).toHaveAttribute("data-theme", "light");
  await expect(html).toHaveCSS("--theme", "#6959CD");
  await expect(page.getByRole("button", { name: "Search", exact: true })).toHaveCSS(
    "height",
    "24px",
  );
  await expect(brand).toBeHidden();
  // The header now scrolls with the page.
  await page.locator("#main").evaluate((main) => main.scrollIntoView({ block: "start" }));
  await expect(page.getByRole("banner")).not.toBeInViewport();
  await page.locator("#main").evaluate((main) => main.parentElement?.scrollTo({ top: 0 }));
  await tool(page, "中文").click();
  await tool(page, "展开侧栏").click();
  await expect(sidebar).toHaveCSS("width", "210px");
  expect(await cookie(page, "sidebarStatus")).toBe("1");
  await tool(page, "界面设置").click();
  await panel.getByRole("button", { name: "恢复默认" }).click();
  await expect(html).toHaveCSS("--theme", "#409EFF");
  await expect(html).toHaveAttribute("data-theme", "dark");
  await expect(brand).toBeVisible();
  expect(await cookie(page, "size")).toBe("medium");
});

test("the tags view is off at first; its tags survive a reload", async ({ page, stage }) => {
  await open(page, stage);
  await expect(title(page, "活动管理")).toBeVisible();
  await expect(tags(page)).toBeHidden();
  await tool(page, "界面设置").click();
  await page.getByRole("switch", { name: "标签栏" }).click();
  await page.keyboard.press("Escape");
  await menu(page).getByRole("link", { name: "奖品管理" }).click();
  // A page that is left before it has loaded gets no tag.
  await expect(title(page, "奖品管理")).toBeVisible();
  await menu(page).getByRole("link", { name: "发放记录" }).click();
  await page.getByRole("button", { name: "展开", exact: true }).click();
  await page.getByLabel("活动ID", { exact: true }).fill("7");
  await page.getByRole("button", { name: "查询", exact: true }).click();
  await expect(page).toHaveURL(/rounds_id=7/);
  await menu(page).getByRole("link", { name: "次数管理" }).click();
  await expect(title(page, "次数管理")).toBeVisible();
  await page.reload();
  const links = tags(page).getByRole("link");
  await expect(links).toHaveText(["活动管理", "奖品管理", "发放记录", "次数管理"]);

  // A tag opens its page with the query.
  await links.filter({ hasText: "发放记录" }).click();
  await expect(page).toHaveURL(/distribution\?rounds_id=7$/);

  const asked = page.waitForResponse(/\/gred\/api\/record\/list/);
  await links.filter({ hasText: "发放记录" }).click({ button: "right" });
  await expect(page.getByRole("menuitem")).toHaveText(["刷新", "关闭", "关闭其他", "关闭所有"]);
  await page.getByRole("menuitem", { name: "刷新" }).click();
  await asked;
  await expect(page).toHaveURL(/distribution\?rounds_id=7$/);

  // By keyboard: close the tag on the left, then the active one, whose neighbour opens.
  await links.filter({ hasText: "奖品管理" }).focus();
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: "刷新" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "关闭", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(links).toHaveText(["活动管理", "发放记录", "次数管理"]);
  await links.filter({ hasText: "发放记录" }).focus();
  await page.keyboard.press("Delete");
  await expect(title(page, "次数管理")).toBeVisible();
  await expect(links).toHaveText(["活动管理", "次数管理"]);

  await links.filter({ hasText: "活动管理" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "关闭其他" }).click();
  await expect(title(page, "活动管理")).toBeVisible();
  await expect(links).toHaveText(["活动管理"]);
});

test("below 992 px the sidebar is a drawer that every page closes", async ({ page, stage }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, stage);
  await expect(title(page, "活动管理")).toBeVisible();
  await expect(menu(page)).toBeHidden();
  await tool(page, "展开侧栏").click();
  await expect(menu(page)).toBeVisible();
  await menu(page).getByRole("link", { name: "次数管理" }).click();
  await expect(title(page, "次数管理")).toBeVisible();
  await expect(menu(page)).toBeHidden();
  const overflow = await page
    .locator("html")
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  // The setting for wide screens is unchanged and applies there again.
  expect(await cookie(page, "sidebarStatus")).toBeUndefined();
  await page.setViewportSize({ width: 992, height: 844 });
  await expect(menu(page)).toBeVisible();
  await page.setViewportSize({ width: 991, height: 844 });
  await expect(menu(page)).toBeHidden();
});
