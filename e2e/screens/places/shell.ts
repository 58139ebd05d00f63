/** Layers above any page: the player, and parts of the shell. */
import {
  all,
  answer,
  click,
  confirmDialog,
  enterCode,
  holdToken,
  named,
  submitEmpty,
} from "./place.ts";
import type { Place, Step } from "./place.ts";

const CONFIG = "/activity_manage/config";

/** Waits for a second dialog above the first. */
export const second: Step = ({ page }) => page.getByRole("dialog").nth(1).waitFor();

/** The player above a page, on each tab. */
const playerPlaces: readonly Place[] = [
  "chances",
  "draws",
  "payouts",
  "extras",
  "deposits",
  "bets",
  "changes",
].map((tab): Place => {
  return {
    name: `player-${tab}`,
    at: `${CONFIG}?player={account}&player_tab=${tab}`,
    ...(tab === "chances" && { dialogs: ["support/player-drawer.tsx"] }),
    fail: answer("刷新", "Refresh"),
  };
});

/** Ends the session, and lets the page notice. */
const loseSession: Step = async ({ page, stage }) => {
  await holdToken(page, stage, "no-token-at-all");
  const main = page.getByRole("main");
  await main.getByRole("button", { name: named("刷新", "Refresh") }).click();
  await page.getByRole("dialog").waitFor();
};

export const SHELL_PLACES: readonly Place[] = [
  ...playerPlaces,
  {
    name: "player-grant",
    at: `${CONFIG}?player={account}`,
    open: all(answer("加次数", "Add"), second),
    dialogs: ["support/player-dialogs.tsx"],
    fail: submitEmpty,
  },
  {
    name: "player-erase",
    at: `${CONFIG}?player={account}`,
    open: all(answer("清除资料", "Erase"), second),
  },
  {
    name: "settings",
    at: CONFIG,
    open: click("界面设置", "Display settings"),
    dialogs: ["app/settings-drawer.tsx"],
    bare: true,
  },
  {
    name: "sidebar",
    at: CONFIG,
    open: click("展开侧栏", "Expand sidebar"),
    dialogs: ["app/sidebar-drawer.tsx"],
    bare: true,
    narrow: true,
  },
  {
    name: "columns",
    at: CONFIG,
    open: click("列设置", "Columns"),
    dialogs: ["ui/column-settings.tsx", "ui/dialog.tsx"],
    bare: true,
  },
  {
    name: "error-log",
    at: CONFIG,
    open: all(
      ({ page }) =>
        page.evaluate(
          `setTimeout(() => { throw new TypeError("a planted fault with a message that is longer than a line of the dialog, to the very end"); })`,
        ),
      click("错误日志", "Error log"),
    ),
    dialogs: ["app/error-log.tsx"],
    bare: true,
  },
  {
    name: "job",
    at: CONFIG,
    open: all(click("任务", "Jobs"), click("明细", "Payouts")),
    dialogs: ["records/job-rows.tsx"],
  },
  {
    name: "stop",
    at: CONFIG,
    open: click("全部暂停", "Stop everything"),
    dialogs: ["stops/stop-button.tsx"],
    bare: true,
    fail: confirmDialog,
  },
  { name: "start", at: CONFIG, open: click("恢复：", "Start: "), fail: enterCode },
  { name: "logged-out", at: CONFIG, open: loseSession, dialogs: ["app/notice-toasts.tsx"] },
];
