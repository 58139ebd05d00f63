/** Dialogs and drawers, each on the page that opens it. */
import {
  all,
  answer,
  chooseFile,
  click,
  confirmDialog,
  dialogOf,
  enter,
  enterCode,
  menu,
  submitEmpty,
  tickAll,
} from "./place.ts";
import type { Place, Step } from "./place.ts";
import { second, SHELL_PLACES } from "./shell.ts";

const CONFIG = "/activity_manage/config";
const PRIZE = "/activity_manage/prize?pool={pool}";
const RECORD = "/activity_manage/record";
const RECORDS = "/activity_manage/distribution";
const EXTRA = "/activity_manage/add_num";
const EXCLUSION = "/activity_manage/exclusion";
const TAG = "/activity_manage/tag";
const RECONCILIATION = "/activity_manage/reconciliation";

/** Waits for a part of the dialog on top. */
function shows(selector: string): Step {
  return (look) => dialogOf(look).locator(selector).first().waitFor();
}

const escape: Step = ({ page }) => page.keyboard.press("Escape");
const ask = answer("查询", "Search");

const roundPlaces: readonly Place[] = [
  {
    name: "view-save",
    dialogs: ["forms/saved-views.tsx", "forms/save-view-dialog.tsx"],
    at: `${RECORDS}?rounds_id={round}`,
    open: menu("视图", "Views", /存为视图|as a view/),
    fail: submitEmpty,
  },
  {
    name: "activity-new",
    at: `${CONFIG}?new=1`,
    opener: "新增活动",
    dialogs: ["rounds/activity-dialog.tsx", "forms/form-dialog.tsx"],
    bare: true,
    fail: submitEmpty,
  },
  { name: "activity-missing", at: `${CONFIG}?new=1`, open: submitEmpty },
  {
    name: "activity-edit",
    at: `${CONFIG}?edit={round}`,
    opener: "编辑 {rounds_name}",
    fail: confirmDialog,
  },
  {
    name: "activity-edit-rule",
    at: `${CONFIG}?edit={round}`,
    open: all(enter({ "条件值|Value": "9999999999.99" }), ({ page }) =>
      page.getByRole("dialog").getByRole("table").scrollIntoViewIfNeeded(),
    ),
  },
  {
    name: "activity-edit-cost",
    at: `${CONFIG}?edit={round}`,
    open: all(enter({ "条件值|Value": "0.01" }), shows(".q-answer")),
  },
  {
    name: "activity-copy",
    at: `${CONFIG}?copy={round}`,
    opener: "复制 {rounds_name}",
    dialogs: ["rounds/copy-dialog.tsx"],
    fail: confirmDialog,
  },
  {
    name: "activity-delete",
    at: CONFIG,
    open: click("删除 ", "Delete "),
    opener: "删除 {rounds_name}",
    dialogs: ["rounds/activity-page.tsx", "ui/confirm.tsx"],
    fail: confirmDialog,
  },
  {
    name: "leave-unsaved",
    at: `${CONFIG}?new=1`,
    open: all(
      ({ page }) => page.getByRole("dialog").getByRole("textbox").first().fill("x"),
      escape,
      second,
    ),
  },
];

const prizePlaces: readonly Place[] = [
  {
    name: "prize-new",
    at: `${PRIZE}&new=1`,
    opener: "新增奖品",
    dialogs: ["pools/prize-dialog.tsx"],
    fail: submitEmpty,
  },
  { name: "prize-missing", at: `${PRIZE}&new=1`, open: submitEmpty },
  {
    name: "prize-edit",
    at: `${PRIZE}&edit={prize}`,
    opener: "编辑 {award_name}",
    fail: confirmDialog,
  },
  {
    name: "prize-grid",
    at: `${PRIZE}&grid=1`,
    opener: "表格编辑",
    dialogs: ["pools/pool-grid.tsx"],
    fail: confirmDialog,
  },
  {
    name: "pool-new",
    at: `${CONFIG}?new=1`,
    open: all(click("新建奖池", "New pool"), second),
    fail: confirmDialog,
  },
  {
    name: "prize-risk",
    at: `${PRIZE}&edit={prize}`,
    open: all(enter({ "奖品总数|Total": "1000000000" }), confirmDialog, second),
    dialogs: ["forms/proof-dialog.tsx"],
    fail: enterCode,
  },
  {
    name: "prize-stock",
    at: `${PRIZE}&stock={prize}`,
    opener: "补库存 {award_name}",
    dialogs: ["pools/prize-dialogs.tsx"],
    fail: submitEmpty,
  },
  {
    name: "prize-stock-cost",
    at: `${PRIZE}&stock={prize}`,
    open: all(enter({ "增加数量|Pieces to add": "1" }), shows(".q-answer")),
  },
  {
    name: "prize-import",
    at: `${PRIZE}&import=1`,
    opener: "批量导入",
    dialogs: ["pools/import-dialog.tsx"],
    fail: chooseFile("{goodFile}"),
  },
  {
    name: "prize-import-changes",
    at: `${PRIZE}&import=1`,
    open: all(chooseFile("{goodFile}"), shows("table")),
    fail: confirmDialog,
  },
  {
    name: "prize-import-cost",
    at: `${PRIZE}&import=1`,
    open: all(chooseFile("{goodFile}"), shows(".q-answer")),
  },
  {
    name: "prize-import-faults",
    at: `${PRIZE}&import=1`,
    open: all(chooseFile("{badFile}"), shows("table")),
  },
  { name: "pool-rename", at: `${PRIZE}&task=rename`, fail: confirmDialog },
  { name: "pool-copy", at: `${PRIZE}&task=copy`, fail: confirmDialog },
  { name: "versions", at: `${PRIZE}&task=versions`, dialogs: ["pools/pool-versions.tsx"] },
  {
    name: "changes",
    at: `${PRIZE}&changes=prize:{prize}`,
    opener: "变更记录 {award_name}",
    dialogs: ["evidence/object-changes.tsx"],
    fail: answer("刷新", "Refresh"),
  },
  {
    name: "prize-delete",
    at: PRIZE,
    open: click("删除 ", "Delete "),
    dialogs: ["pools/removals.tsx"],
    fail: confirmDialog,
  },
  {
    name: "prize-delete-last",
    at: "/activity_manage/prize?pool={lone}",
    open: click("删除 ", "Delete "),
  },
];

const recordPlaces: readonly Place[] = [
  {
    name: "draw-info",
    at: `${RECORD}?dialog=draws`,
    dialogs: ["forms/ask-dialog.tsx"],
    bare: true,
  },
  { name: "draw-info-missing", at: `${RECORD}?dialog=draws`, open: ask },
  {
    name: "draw-info-answer",
    at: `${RECORD}?dialog=draws`,
    open: all(
      enter({ "活动日期|Activity date": "{day}", "账号|Account": "{account}" }),
      (look) => dialogOf(look).getByRole("combobox").last().click(),
      ({ page }) => page.locator(".ant-select-item-option").first().click(),
      ask,
      shows("dl"),
    ),
    fail: ask,
  },
  { name: "player-info", at: `${RECORD}?dialog=info`, opener: "玩家信息", bare: true },
  { name: "player-info-missing", at: `${RECORD}?dialog=info`, open: ask },
  {
    name: "player-info-answer",
    at: `${RECORD}?dialog=info`,
    open: all(enter({ "账号|Account": "{account}" }), ask, shows("dl")),
    fail: ask,
  },
  {
    name: "reissue-many",
    at: RECORDS,
    open: all(tickAll, click("批量补发", "Re-issue selected")),
    dialogs: ["records/record-acts.tsx"],
    fail: confirmDialog,
  },
  {
    name: "close-many",
    at: RECORDS,
    open: all(tickAll, click("批量关闭", "Close selected")),
    dialogs: ["records/record-dialogs.tsx"],
    fail: submitEmpty,
  },
  {
    name: "deliver-many",
    at: RECORDS,
    open: all(tickAll, click("批量发货", "Deliver selected")),
    fail: confirmDialog,
  },
];

const otherPlaces: readonly Place[] = [
  {
    name: "grant",
    at: `${EXTRA}?grant=1`,
    opener: "批量添加",
    dialogs: ["players/grant-dialog.tsx"],
    bare: true,
    fail: submitEmpty,
  },
  { name: "grant-missing", at: `${EXTRA}?grant=1`, open: submitEmpty },
  {
    name: "take-back",
    at: EXTRA,
    open: click("收回 ", "Take back "),
    dialogs: ["forms/reason-dialog.tsx"],
    fail: submitEmpty,
  },
  {
    name: "exclude",
    at: `${EXCLUSION}?new=1`,
    opener: "排除账号",
    dialogs: ["players/exclude-dialog.tsx"],
    bare: true,
    fail: submitEmpty,
  },
  {
    name: "exclude-faults",
    at: `${EXCLUSION}?new=1`,
    open: all(chooseFile("账号,类型,原因\nx,?,y\n"), shows(".ant-alert")),
  },
  { name: "lift", at: EXCLUSION, open: click("解除 ", "Lift "), fail: submitEmpty },
  {
    name: "tag-new",
    at: `${TAG}?new=tag`,
    opener: "新增组别",
    dialogs: ["rounds/entry-dialog.tsx"],
    bare: true,
    fail: submitEmpty,
  },
  { name: "tag-missing", at: `${TAG}?new=tag`, open: submitEmpty },
  { name: "tag-edit", at: `${TAG}?edit=tag&key={tag}`, fail: confirmDialog },
  {
    name: "leave-saving",
    at: `${TAG}?new=tag`,
    held: "POST /gred/api/tag",
    open: async (look) => {
      const { page, ids } = look;
      const dialog = page.getByRole("dialog");
      // A taken key, so that submitting it changes nothing.
      await dialog.getByRole("textbox").first().fill(ids.tag);
      await dialog.getByRole("textbox").last().fill("x");
      await all(confirmDialog, shows(".k-saving"), escape, second)(look);
    },
    dialogs: ["forms/saving.tsx"],
  },
  { name: "code-new", at: `${TAG}?new=red_code`, bare: true, fail: submitEmpty },
  { name: "code-missing", at: `${TAG}?new=red_code`, open: submitEmpty },
  {
    name: "run",
    at: RECONCILIATION,
    open: click("与钱包对账", "Compare with the wallet"),
    opener: "与钱包对账",
    dialogs: ["finance/run-dialog.tsx"],
    bare: true,
    fail: confirmDialog,
  },
  {
    name: "mend",
    at: RECONCILIATION,
    open: all(tickAll, ({ page }) => page.locator(".k-batch .ant-btn").nth(1).click()),
    above: true,
    fail: submitEmpty,
  },
  {
    name: "sign",
    at: "/activity_manage/sheet?rounds_id={ended}",
    open: click("签核", "Sign off"),
    fail: enterCode,
  },
];

const everyDialog: readonly Place[] = [
  ...roundPlaces,
  ...prizePlaces,
  ...recordPlaces,
  ...otherPlaces,
  ...SHELL_PLACES,
];

export const DIALOG_PLACES: readonly Place[] = everyDialog.map((place) => {
  return { ...place, above: true };
});
