/** A month of thirty rounds closed: signed with one code, and the file for finance. */
import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { dig, listAt, numberAt, textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { xlsxRows } from "../../outside/workbook.ts";
import { makeOpenRound } from "../round.ts";
import { headed, NAME, today } from "./scene.ts";
import type { Scene, Task } from "./scene.ts";

const ROUNDS = 30;
const month = () => today().slice(0, 7);

/** The rounds of this month that have ended: those of the demonstration's past days among them. */
async function ended({ operator }: Scene): Promise<unknown[]> {
  const data = await operator.data("GET", `/gred/api/month?month=${month()}`, null);
  const now = shown(Date.now() - 1_000);
  return listAt(data, "rounds").filter((round) => textAt(round, "end_time") < now);
}

/** Fills up to thirty ended rounds with draws, and compares the month with the wallet until all is settled. */
async function compareThirty(scene: Scene): Promise<void> {
  const { operator, stage, asker } = scene;
  for (let at = (await ended(scene)).length; at < ROUNDS; at += 1) {
    const id = await makeOpenRound(operator, `month_${at}`, 10);
    const drawn = await stage.platform.draw(askFor(id, `${asker}-id`));
    expect(drawn.status).toBe(201);
    await operator.changeRound(id, { end_time: shown(Date.now() - 2_000) });
  }
  const compared = async () => {
    const span = { from: `${month()}-01 00:00:00`, to: shown(Date.now()) };
    await operator.data("POST", "/gred/api/reconciliation", span);
    const ready = (await ended(scene)).filter((round) => dig(round, "not_ready") === null);
    return ready.map((round) => textAt(round, "difference", "amount")).join(" ");
  };
  const agreed = Array.from({ length: ROUNDS }, () => "0.00").join(" ");
  await expect.poll(compared, { timeout: 180_000, intervals: [5_000] }).toBe(agreed);
}

export const closeMonth: Task = {
  what: `a month of ${ROUNDS} rounds closed with one code, and its file, from 活动管理`,
  clicks: 6,
  // What is signed stays signed.
  isOnce: true,
  from: async (scene) => {
    await compareThirty(scene);
    return "/activity_manage/config";
  },
  ready: headed("活动管理"),
  act: async (page, scene) => {
    const code = await scene.authenticator.code();
    const begun = shown(Date.now());
    await page.getByRole("link", { name: "月度对账", exact: true }).click();
    await page.getByRole("button", { name: new RegExp(`^签核全部 ${ROUNDS} 个`) }).click();
    await expect(page.getByRole("dialog").getByLabel("动态验证码")).toBeFocused();
    await page.keyboard.type(code);
    await expect(page.getByText(`已签核 ${ROUNDS} 个活动`)).toBeVisible();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "导出月度文件" }).click();
    const file = await readFile(await (await downloading).path());
    return async () => {
      const rounds = (await ended(scene)).map((round) => ({
        id: String(numberAt(round, "rounds_id")),
        by: textAt(round, "signed", "by"),
        isNow:
          dig(round, "signed", "is_current") === true && textAt(round, "signed", "at") >= begun,
      }));
      const rows = xlsxRows(file, 2).filter((cells) => cells.includes(NAME));
      expect(rounds).toEqual(rows.map(([id]) => ({ id, by: NAME, isNow: true })));
      expect(rows).toHaveLength(ROUNDS);
    };
  },
};
