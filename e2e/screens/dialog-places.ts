/** Dialogs and drawers, each on a page that it opens from. */
import { click, confirmDialog, enterCode, holdToken, named } from "./place.ts";
import type { Look, Place } from "./place.ts";

const CONFIG = "/activity_manage/config";
const PRIZE = "/activity_manage/prize";
const RECORDS = "/activity_manage/distribution";
const EXTRA = "/activity_manage/add_num";
const TAG = "/activity_manage/tag";
const RECONCILIATION = "/activity_manage/reconciliation";
const SHEET = "/activity_manage/sheet";
const SHELL = CONFIG;
const FORM = "forms/form-dialog.tsx";

/** Saves with nothing entered. */
async function submitEmpty(look: Look): Promise<void> {
  await confirmDialog(look);
  await look.page.locator("[role=dialog] [aria-invalid=true]").first().waitFor();
}

/** Ticks every row of the page, and opens what is done with them. */
function withAll(zh: string, en: string) {
  return async (look: Look) => {
    await look.page
      .getByRole("checkbox", { name: named("全选本页", "Select this page") })
      .first()
      .check();
    await click(zh, en)(look);
  };
}

const activityPlaces: readonly Place[] = [
  {
    name: "activity-new",
    route: CONFIG,
    search: () => "?new=1",
    dialogs: ["features/activity/activity-dialog.tsx", FORM],
    bare: true,
    fail: submitEmpty,
  },
  { name: "activity-missing", route: CONFIG, search: () => "?new=1", open: submitEmpty },
  {
    name: "activity-edit",
    route: CONFIG,
    search: ({ round }) => `?edit=${round}`,
    fail: confirmDialog,
  },
  {
    name: "activity-edit-rule",
    route: CONFIG,
    search: ({ round }) => `?edit=${round}`,
    open: async ({ page }) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: named("条件值", "Value") }).fill("9999999999.99");
      await dialog.getByRole("table").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "activity-copy",
    route: CONFIG,
    search: ({ round }) => `?copy=${round}`,
    dialogs: ["features/activity/copy-dialog.tsx"],
    fail: confirmDialog,
  },
  {
    name: "activity-delete",
    route: CONFIG,
    open: click("删除 ", "Delete "),
    dialogs: ["features/activity/activity-page.tsx", "ui/confirm.tsx"],
    fail: confirmDialog,
  },
  {
    name: "leave-unsaved",
    route: CONFIG,
    search: () => "?new=1",
    open: async ({ page }) => {
      await page.getByRole("dialog").getByRole("textbox").first().fill("x");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").nth(1).waitFor();
    },
    dialogs: [FORM],
  },
];

const prizePlaces: readonly Place[] = [
  {
    name: "prize-new",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&new=1`,
    dialogs: ["features/prize/prize-dialog.tsx"],
    fail: submitEmpty,
  },
  {
    name: "prize-missing",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&new=1`,
    open: submitEmpty,
  },
  {
    name: "prize-edit",
    route: PRIZE,
    search: ({ pool, prize }) => `?pool=${pool}&edit=${prize}`,
    fail: confirmDialog,
  },
  {
    name: "prize-stock",
    route: PRIZE,
    search: ({ pool, prize }) => `?pool=${pool}&stock=${prize}`,
    dialogs: ["features/prize/stock-dialog.tsx"],
    fail: submitEmpty,
  },
  {
    name: "prize-import",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&import=1`,
    dialogs: ["features/prize/import-dialog.tsx"],
    fail: ({ page, ids }) =>
      page.locator("input[type=file]").setInputFiles(prizeFile(ids.goodFile)),
  },
  {
    name: "prize-import-changes",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&import=1`,
    open: ({ page, ids }) => chooseFile(page, ids.goodFile),
    fail: confirmDialog,
  },
  {
    name: "prize-import-faults",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&import=1`,
    open: ({ page, ids }) => chooseFile(page, ids.badFile),
  },
  {
    name: "pool-rename",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&task=rename`,
    dialogs: ["features/prize/pool-dialog.tsx"],
    fail: confirmDialog,
  },
  {
    name: "pool-copy",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}&task=copy`,
    fail: confirmDialog,
  },
  {
    name: "prize-delete",
    route: PRIZE,
    search: ({ pool }) => `?pool=${pool}`,
    open: click("删除 ", "Delete "),
    dialogs: ["features/prize/removals.tsx"],
    fail: confirmDialog,
  },
  {
    name: "prize-delete-last",
    route: PRIZE,
    search: ({ lone }) => `?pool=${lone}`,
    open: click("删除 ", "Delete "),
  },
];

function prizeFile(text: string) {
  return { name: "prizes.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
}

async function chooseFile(page: Look["page"], text: string): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(prizeFile(text));
  await page.getByRole("dialog").getByRole("table").waitFor();
}

const recordPlaces: readonly Place[] = [
  {
    name: "draw-info",
    route: "/activity_manage/record",
    search: () => "?dialog=draws",
    dialogs: ["forms/ask-dialog.tsx"],
    bare: true,
  },
  {
    name: "draw-info-answer",
    route: "/activity_manage/record",
    search: () => "?dialog=draws",
    open: async ({ page, ids }) => {
      const dialog = page.getByRole("dialog");
      const day = dialog.getByLabel(named("活动日期", "Activity date"));
      await day.fill(ids.day);
      await day.press("Enter");
      await dialog.getByLabel(named("账号", "Account")).fill(ids.account);
      await dialog.getByRole("combobox").last().click();
      await page.locator(".ant-select-item-option").first().click();
      await dialog.getByRole("button", { name: named("查询", "Search") }).click();
      await dialog.locator("dl").waitFor();
    },
    fail: async ({ page }) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: named("查询", "Search") }).click();
    },
  },
  {
    name: "player-info",
    route: "/activity_manage/record",
    search: () => "?dialog=info",
    dialogs: ["forms/ask-dialog.tsx"],
    bare: true,
  },
  {
    name: "player-info-answer",
    route: "/activity_manage/record",
    search: () => "?dialog=info",
    open: async ({ page, ids }) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox").fill(ids.account);
      await dialog.getByRole("button", { name: named("查询", "Search") }).click();
      await dialog.locator("dl").waitFor();
    },
    fail: async ({ page }) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: named("查询", "Search") }).click();
    },
  },
  {
    name: "reissue-many",
    route: RECORDS,
    open: withAll("批量补发", "Re-issue selected"),
    dialogs: ["records/record-acts.tsx"],
    fail: confirmDialog,
  },
  {
    name: "close-many",
    route: RECORDS,
    open: withAll("批量关闭", "Close selected"),
    dialogs: ["records/record-dialogs.tsx"],
    fail: submitEmpty,
  },
  {
    name: "deliver-many",
    route: RECORDS,
    open: withAll("批量发货", "Deliver selected"),
    fail: confirmDialog,
  },
];

const otherPlaces: readonly Place[] = [
  {
    name: "grant",
    route: EXTRA,
    search: () => "?grant=1",
    dialogs: ["features/extra-times/grant-dialog.tsx"],
    bare: true,
    fail: submitEmpty,
  },
  { name: "grant-missing", route: EXTRA, search: () => "?grant=1", open: submitEmpty },
  {
    name: "tag-new",
    route: TAG,
    search: () => "?new=tag",
    dialogs: ["features/tag/entry-dialog.tsx"],
    bare: true,
    fail: submitEmpty,
  },
  {
    name: "tag-edit",
    route: TAG,
    search: ({ tag }) => `?edit=tag&key=${tag}`,
    fail: confirmDialog,
  },
  {
    name: "leave-saving",
    route: TAG,
    search: () => "?new=tag",
    held: "POST /gred/api/tag",
    open: async (look) => {
      const { page, ids } = look;
      const dialog = page.getByRole("dialog");
      // A key that is taken: once it is passed on, nothing comes of it.
      await dialog.getByRole("textbox").first().fill(ids.tag);
      await dialog.getByRole("textbox").last().fill("x");
      await confirmDialog(look);
      await dialog.locator(".k-saving").waitFor();
      await page.keyboard.press("Escape");
      await dialog.nth(1).waitFor();
    },
    dialogs: ["forms/saving.tsx"],
  },
  { name: "code-new", route: TAG, search: () => "?new=red_code", bare: true, fail: submitEmpty },
  {
    name: "run",
    route: RECONCILIATION,
    open: click("与钱包对账", "Compare with the wallet"),
    dialogs: ["features/reconciliation/run-dialog.tsx"],
    bare: true,
    fail: confirmDialog,
  },
  {
    name: "mend",
    route: RECONCILIATION,
    open: async (look) => {
      await look.page
        .getByRole("checkbox", { name: named("全选本页", "Select this page") })
        .first()
        .check();
      await look.page.locator(".k-batch .ant-btn").nth(1).click();
    },
    dialogs: ["features/reconciliation/mend-dialog.tsx"],
    fail: submitEmpty,
  },
  {
    name: "sign",
    route: SHEET,
    search: ({ ended }) => `?rounds_id=${ended}`,
    open: click("签核", "Sign off"),
    dialogs: ["forms/code-dialog.tsx"],
    fail: enterCode,
  },
];

/** The player over a page, on each of the tabs. */
const playerPlaces: readonly Place[] = [
  "chances",
  "draws",
  "payouts",
  "extras",
  "deposits",
  "bets",
].map((tab): Place => {
  return {
    name: `player-${tab}`,
    route: CONFIG,
    search: ({ account }) => `?player=${account}&player_tab=${tab}`,
    ...(tab === "chances" && { dialogs: ["features/player-view/player-drawer.tsx"] }),
    fail: ({ page }) =>
      page
        .getByRole("dialog")
        .getByRole("button", { name: named("刷新", "Refresh") })
        .first()
        .click(),
  };
});

const shellPlaces: readonly Place[] = [
  {
    name: "player-grant",
    route: CONFIG,
    search: ({ account }) => `?player=${account}`,
    open: async ({ page }) => {
      const drawer = page.getByRole("dialog");
      await drawer.getByRole("button", { name: named("加次数", "Grant") }).click();
      await page.getByRole("dialog").nth(1).waitFor();
    },
    dialogs: ["features/player-view/grant-one-dialog.tsx"],
    fail: submitEmpty,
  },
  {
    name: "settings",
    route: SHELL,
    open: click("界面设置", "Display settings"),
    dialogs: ["app/settings-drawer.tsx"],
    bare: true,
  },
  {
    name: "sidebar",
    route: SHELL,
    open: click("展开侧栏", "Expand sidebar"),
    dialogs: ["app/sidebar-drawer.tsx"],
    bare: true,
    narrow: true,
  },
  {
    name: "columns",
    route: SHELL,
    open: click("列设置", "Columns"),
    dialogs: ["ui/column-settings.tsx", "ui/dialog.tsx"],
    bare: true,
  },
  {
    name: "error-log",
    route: SHELL,
    open: async (look) => {
      await look.page.evaluate(
        `setTimeout(() => { throw new TypeError("a planted fault with a message that is longer than a line of the dialog, to the very end"); })`,
      );
      await click("错误日志", "Error log")(look);
    },
    dialogs: ["app/error-log-dialog.tsx"],
    bare: true,
  },
  {
    name: "stop",
    route: SHELL,
    open: click("全部暂停", "Stop everything"),
    dialogs: ["app/stop-button.tsx"],
    bare: true,
    fail: confirmDialog,
  },
  {
    name: "start",
    route: SHELL,
    open: click("恢复：", "Start: "),
    dialogs: ["forms/code-dialog.tsx"],
    fail: enterCode,
  },
  {
    name: "logged-out",
    route: SHELL,
    open: async ({ page, stage }) => {
      await holdToken(page, stage, "no-token-at-all");
      await page
        .getByRole("main")
        .getByRole("button", { name: named("刷新", "Refresh") })
        .click();
      await page.getByRole("dialog").waitFor();
    },
    dialogs: ["app/notices.tsx"],
  },
];

const all: readonly Place[] = [
  ...activityPlaces,
  ...prizePlaces,
  ...recordPlaces,
  ...otherPlaces,
  ...playerPlaces,
  ...shellPlaces,
];

export const DIALOG_PLACES: readonly Place[] = all.map((place) => ({ ...place, above: true }));
