/** Parts of the console that fail to load: without a network, and after another build has replaced their files. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { routeOf } from "../../screens/places/place.ts";
import { PAGE_PLACES } from "../../screens/places/pages.ts";
import { settle } from "../../screens/visit.ts";
import { askFor } from "../../outside/platform.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

const CONFIG = "/activity_manage/config";
/** Routes of the sidebar; the own account is in the user menu. */
const ROUTES = new Set(
  PAGE_PLACES.map(routeOf).filter((route) =>
    /^\/(?:activity_manage\/(?!own$)|overview$)/.test(route),
  ),
);

/** Buttons with a dialog in a file of its own, and a text of that dialog. */
const OPENING = [
  [CONFIG, "新增活动", "活动名称"],
  ["/activity_manage/prize", "新增奖品", "奖品"],
] as const;

/** How the parts are lost, and the message. */
const LOSSES = {
  "the network": {
    said: /^网络不通/,
    lose: async (page: Page) => await page.context().setOffline(true),
    find: async (page: Page) => await page.context().setOffline(false),
  },
  "the files of an old build": {
    said: /^控制台可能已更新/,
    lose: async (_: Page, { switchboard }: Stage) => switchboard.lose("/red/assets/"),
    find: async (page: Page, { switchboard }: Stage) => {
      await expect(page.getByRole("button", { name: "重新载入" })).toBeVisible();
      switchboard.lose(null);
      await page.getByRole("button", { name: "重试" }).click();
    },
  },
} as const;

/** Number of styles that failed to load. */
const UNSTYLED =
  "[...document.querySelectorAll('link[rel=stylesheet]')].filter((one) => one.sheet === null).length";

const title = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 });
const layers = (page: Page) =>
  page.locator(".ant-modal-wrap, .ant-drawer-open, .ant-dropdown").filter({ visible: true });

/** Closes what is above the page, without confirming or saving. */
async function leave(page: Page): Promise<void> {
  while ((await layers(page).count()) > 0) {
    await page.keyboard.press("Escape");
  }
}

/** The stop button, the sidebar and the heading are still there. */
async function expectWhole(page: Page, heading: string): Promise<void> {
  await expect(page.locator("header").getByText("全部暂停")).toBeVisible();
  await expect(page.locator("nav.s-menu a")).toHaveCount(ROUTES.size);
  await expect(page.locator("main h1")).toHaveText(heading);
}

/** Presses each button once, also buttons that appear meanwhile. */
async function pressAll(page: Page, within: string[]): Promise<number> {
  const heading = (await title(page).textContent()) ?? "";
  // One changes every name, the other must not be needed.
  const pressed = new Set(["English", "重新载入"]);
  for (;;) {
    const buttons = page.locator(within.map((one) => `${one} button:enabled:visible`).join());
    const names = await buttons.evaluateAll((all) =>
      all.map((button) => button.getAttribute("aria-label") ?? button.textContent),
    );
    const at = names.findIndex((name) => !pressed.has(name));
    if (at === -1) {
      return pressed.size;
    }
    pressed.add(names[at] ?? "");
    await expect(async () => {
      await leave(page);
      await buttons.nth(at).click({ timeout: 1_000 });
    }).toPass({ timeout: 20_000 });
    await expectWhole(page, heading);
  }
}

let token = "";
let seed = "";

test.beforeAll(async ({ stage }) => {
  const made = await stage.operator("lost-op");
  ({ token, seed } = made);
  const round = await makeOpenRound(made.operator, "断网", 10);
  await stage.platform.register("lost-1");
  await stage.platform.draw(askFor(round, "lost-1"));
});

test("the first page is announced until it is there", async ({ page, stage }) => {
  stage.switchboard.lose("/red/assets/");
  await openConsole(page, stage, token, CONFIG);
  const mark = page.getByRole("progressbar", { name: "Loading" });
  await expect(mark).toBeVisible();
  stage.switchboard.lose(null);
  await page.reload();
  await expect(title(page)).toBeVisible();
  await expect(mark).toBeHidden();
});

for (const [what, { said, lose, find }] of Object.entries(LOSSES)) {
  test(`without ${what}, a part says so in its place and comes by itself`, async ({
    browser,
    page,
    stage,
  }) => {
    // Chromium before 156 never asks again for a file of a script that was not there: 重新载入 helps.
    const version = Number.parseInt(browser.version(), 10);
    test.skip(version < 156, "the browser remembers lost files");
    await openConsole(page, stage, token, CONFIG);
    await expect(title(page)).toHaveText("活动管理");
    await page.evaluate("kept = true");
    await lose(page, stage);
    const others = page.locator(`nav.s-menu a:not([href$="${CONFIG}"])`);
    for (const link of [...(await others.all()), others.getByText("发放记录")]) {
      await link.click();
      await expectWhole(page, (await link.textContent()) ?? "");
      await expect(page.getByText(said)).toBeVisible();
    }
    await find(page, stage);
    await expect(page.getByText(said)).toBeHidden();
    await expect(page.getByRole("button", { name: "查询", exact: true })).toBeVisible();
    expect(await page.evaluate("kept")).toBe(true);

    for (const [route, button, field] of OPENING) {
      await openConsole(page, stage, token, route);
      const opening = page.getByRole("main").getByRole("button", { name: button });
      await expect(opening).toBeEnabled();
      await lose(page, stage);
      await opening.click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByText(said)).toBeVisible();
      await find(page, stage);
      await expect(dialog.getByRole("textbox", { name: field, exact: true })).toBeVisible();
      expect(await page.evaluate(UNSTYLED)).toBe(0);
    }
  });

  test(`without ${what}, every button leaves the page as it is`, async ({ page, stage }) => {
    let count = 0;
    for (const route of ROUTES) {
      await openConsole(page, stage, token, route);
      await settle(page);
      await lose(page, stage);
      count += await pressAll(page, route === CONFIG ? ["main", "header"] : ["main"]);
      await page.context().setOffline(false);
      stage.switchboard.lose(null);
    }
    expect(count).toBeGreaterThan(60);
  });
}

test("draws and payouts are stopped and started again with the files of the first page alone", async ({
  page,
  stage,
}) => {
  await openConsole(page, stage, token, CONFIG);
  await expect(title(page)).toBeVisible();
  stage.switchboard.lose("/red/assets/");
  await page.getByRole("banner").getByRole("button", { name: "全部暂停" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "全部暂停" }).click();
  await page.getByRole("banner").getByRole("button", { name: "恢复运行" }).click();
  await page.getByLabel("动态验证码").fill(codeOf(seed, stepAt(Date.now()) + 1));
  await expect(page.getByText("已恢复")).toBeVisible();
  stage.switchboard.lose(null);
});
