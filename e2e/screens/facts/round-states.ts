/** Rounds, pools and prizes, and their import (spec §2, §4, §5, §8, §9). */
import { answer, choose, chooseFile, click, dialogOf, enter } from "../places/place.ts";
import type { Step } from "../places/place.ts";
import { listed, pickToday, save } from "./steps.ts";
import type { States } from "./steps.ts";

const MEGABYTE = 1_048_576;
const HEADER = "奖池,奖品,奖品额度,权重,奖品总数,是否保底\n";

/** All fields of a prize that nobody wins. */
function prizeFields(award_name: string): Step {
  return async (look) => {
    await enter({ 奖品: award_name, 权重: "0", 奖品总数: "0", 奖品额度: "1.00" })(look);
    await dialogOf(look).getByRole("radio", { name: "否" }).check();
  };
}

const cashPool: Step = ({ page }) => page.getByRole("tab", { name: "现金池", exact: true }).click();
const physical: Step = (look) => dialogOf(look).getByRole("radio", { name: "实物" }).check();
const noLimit: Step = (look) => dialogOf(look).getByText("不限", { exact: true }).click();
const clearGroup: Step = async ({ page }) => {
  const group = page.getByRole("dialog").locator(".ant-select", { has: page.locator("#tag") });
  await group.hover();
  await group.locator(".ant-select-clear").click();
};
const fileIsThere: Step = (look) => dialogOf(look).getByText("文件：prizes.csv").waitFor();

export const ROUND_STATES: States = {
  activities: {
    opened: ["config", listed],
    "a day's activities": ["config?start_date={today}", listed],
  },
  "activity editor": {
    "new activity": ["activity-new"],
    "saved with nothing entered": ["activity-new", enter({ 站内信: "" }), clearGroup, save],
    "days picked": [
      "activity-new",
      pickToday("活动开始时间"),
      pickToday("活动结束时间"),
      pickToday("条件开始时间"),
      pickToday("条件结束时间"),
    ],
    added: [
      "activity-new",
      noLimit,
      enter({ 活动名称: "新活动{unique}" }),
      choose("奖池", "现金池"),
      choose("流水倍数", "3 倍"),
      enter({ 活动开始时间: "{tomorrow} 00:00:00", 活动结束时间: "{tomorrow} 23:59:59" }),
      answer("同活动时间"),
      save,
    ],
  },
  prizes: {
    opened: ["prize", listed],
    "export asked": ["prize", listed, click("批量导出")],
  },
  "prize dialog": {
    "new prize": ["prize-new"],
    "saved with nothing entered": ["prize-new", save],
    "physical chosen": ["prize-new", physical],
    "money prize edited": ["prize-edit"],
    "physical prize edited": ["prize", click("编辑 保温杯")],
    added: ["prize", cashPool, click("新增奖品"), prizeFields("新奖品{unique}"), save],
    "adding refused": ["prize-new", prizeFields("保温杯"), save],
    saved: ["prize-edit", save],
    "saving refused": ["prize-edit", enter({ 奖品: "保温杯" }), save],
  },
  import: {
    opened: ["prize-import"],
    "a text file": ["prize-import", chooseFile(HEADER, "prizes.txt")],
    "a file of 1 MB": ["prize-import", chooseFile("x".repeat(MEGABYTE))],
    "a file of 1 byte less": ["prize-import", chooseFile("x".repeat(MEGABYTE - 1)), fileIsThere],
    "an xlsx file": ["prize-import", chooseFile("no workbook", "prizes.xlsx")],
    "an xls file": ["prize-import", chooseFile("no workbook", "prizes.xls")],
    // A zip's first bytes, by which a workbook is recognised.
    "a broken workbook": ["prize-import", chooseFile("PK\u0003\u0004 no workbook", "prizes.xlsx")],
    "faults in the file": ["prize-import", chooseFile(`${HEADER}现金池,错行,1,x1,0,否\n`)],
    imported: [
      "prize-import",
      chooseFile(`${HEADER}现金池,导入{unique},1,0,0,否\n`),
      answer("导入"),
    ],
  },
};
