/** How tonight goes, a payout by its number, and every refused payout of a round sent again. */
import { expect } from "@playwright/test";
import { listAt, numberAt, textAt } from "../../outside/json.ts";
import { headed } from "./scene.ts";
import type { Scene, Task } from "./scene.ts";

const RECORDS = "/activity_manage/distribution";

const recordsReady = headed("发放记录");

async function refused({ operator }: Scene, filter = "", states = "refused"): Promise<unknown[]> {
  const path = `/gred/api/record/list?payout_state=${states}&page=1&size=1000${filter}`;
  return listAt(await operator.data("GET", path, null), "content");
}

const seeTonight: Task = {
  what: "is tonight going well, from 发放记录",
  clicks: 1,
  from: RECORDS,
  ready: recordsReady,
  act: async (page) => {
    await page.getByRole("link", { name: "总览", exact: true }).click();
    await expect(page.getByRole("main").getByText("需要处理")).toBeVisible();
    await expect(page.locator("[data-live=true]")).toBeVisible();
    return () => Promise.resolve();
  },
};

const findNumber: Task = {
  what: "a payout by its 流水号, pasted, without the mouse, from 活动管理",
  clicks: 0,
  keys: 4,
  from: "/activity_manage/config",
  ready: headed("活动管理"),
  act: async (page, scene) => {
    const number = textAt((await refused(scene))[0], "trans_sn");
    await page.keyboard.press("Control+K");
    await page.keyboard.insertText(number);
    await page.keyboard.press("Enter");
    await recordsReady(page);
    await expect(page.getByText("共 1 条", { exact: true })).toBeVisible();
    await expect(page.getByRole("main")).toContainText(number.slice(0, 8));
    return () => Promise.resolve();
  },
};

/** The round with most of them. */
async function worstRound(scene: Scene): Promise<number> {
  const ids = (await refused(scene)).map((record) => numberAt(record, "rounds_id"));
  const countOf = (id: number) => ids.filter((other) => other === id).length;
  return ids.toSorted((one, other) => countOf(other) - countOf(one))[0] ?? 0;
}

const sendAgain: Task = {
  what: "every refused payout of a round sent again, and told what became of it",
  clicks: 4,
  from: async (scene) => `${RECORDS}?rounds_id=${await worstRound(scene)}`,
  ready: recordsReady,
  act: async (page, scene) => {
    // Another may be the worst by now: rounds go on.
    const of = new URL(page.url()).search.replace("?", "&");
    const numbers = (await refused(scene, of)).map((record) => textAt(record, "trans_sn"));
    const before = numbers.length;
    await page.getByRole("button", { name: /^被拒绝/ }).click();
    await expect(page.getByText(`共 ${before} 条`, { exact: true })).toBeVisible();
    await page.getByRole("checkbox", { name: "全选本页" }).check();
    await page.getByRole("button", { name: "批量补发" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /确定|补发/ })
      .last()
      .click();
    // The round itself goes on meanwhile, and the wallet may keep silent about one for a minute.
    const moving = async () =>
      (await refused(scene, of, "queued,sending,unknown")).filter((record) =>
        numbers.includes(textAt(record, "trans_sn")),
      );
    await expect.poll(moving, { timeout: 120_000 }).toEqual([]);
    const told = page.getByText(new RegExp(`^${before} 条已重新发送：`)).first();
    await expect(told).toBeVisible({ timeout: 5_000 });
    const said = /(\d+) 再次被拒/.exec(await told.innerText())?.[1] ?? "0";
    return async () => {
      const again = (await refused(scene, of)).filter((record) =>
        numbers.includes(textAt(record, "trans_sn")),
      );
      expect(again.length).toBe(Number(said));
    };
  },
};

export const EVENING_TASKS: readonly Task[] = [seeTonight, findNumber, sendAgain];
