/** Tasks with rounds: copy yesterday's, pause one, grant to many, stop everything. */
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { dig, numberAt, textAt } from "../../outside/json.ts";
import { codeOf, stepAt } from "../../outside/totp.ts";
import { GRANTED, headed, roundNamed, roundsOn, today, YESTERDAYS } from "./scene.ts";
import type { Scene, Task } from "./scene.ts";

const DAY_MS = 86_400_000;

async function copiesOf({ operator }: Scene): Promise<unknown[]> {
  const rows = await roundsOn(operator, today());
  return rows.filter((row) => textAt(row, "rounds_name") === YESTERDAYS);
}

const copyRound: Task = {
  what: "copy yesterday's round to tonight, from 发放记录",
  clicks: 3,
  seconds: 20,
  from: "/activity_manage/distribution",
  ready: headed("发放记录"),
  act: async (page, scene) => {
    await page.getByRole("link", { name: "活动管理", exact: true }).click();
    await page.getByRole("button", { name: `复制 ${YESTERDAYS}` }).click();
    const dialog = page.getByRole("dialog", { name: `复制活动「${YESTERDAYS}」` });
    await dialog.getByRole("button", { name: /^复制/ }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("button", { name: `复制 ${YESTERDAYS}` })).toHaveCount(2);
    return async () => {
      const [copy, ...more] = await copiesOf(scene);
      expect(more).toEqual([]);
      expect(textAt(copy, "start_time")).toBe(`${today()} 00:00:00`);
      const prizes = await scene.operator.prizes(textAt(copy, "pool_name"));
      expect(prizes.length).toBeGreaterThan(0);
      for (const prize of prizes) {
        expect(numberAt(prize, "remaining")).toBe(numberAt(prize, "award_total"));
      }
    };
  },
  undo: async (scene) => {
    const { operator } = scene;
    for (const copy of await copiesOf(scene)) {
      const id = numberAt(copy, "id");
      await operator.data("PUT", `/gred/api/act/pause/${id}`, { rounds_status: 0 });
      await operator.data("DELETE", `/gred/api/act/${id}`, null);
    }
  },
};

const PAUSED = "端午单笔充值专场";

const pauseRound: Task = {
  what: "pause a round, on 活动管理",
  clicks: 1,
  from: `/activity_manage/config?start_date=${today()}`,
  ready: async (page) => {
    await expect(page.getByRole("switch", { name: `${PAUSED} 开关` })).toBeChecked();
  },
  act: async (page, scene) => {
    const toggle = page.getByRole("switch", { name: `${PAUSED} 开关` });
    await toggle.click();
    await expect(toggle).not.toBeChecked();
    return async () => {
      const rows = await roundsOn(scene.operator, today());
      const row = rows.find((one) => dig(one, "rounds_name") === PAUSED);
      expect(numberAt(row, "rounds_status")).toBe(0);
    };
  },
  undo: async ({ operator }) => {
    const id = await roundNamed(operator, today(), PAUSED);
    await operator.data("PUT", `/gred/api/act/pause/${id}`, { rounds_status: 1 });
  },
};

const grantMany: Task = {
  what: `grant ${GRANTED} players an extra draw from a pasted list, from 活动管理`,
  clicks: 5,
  from: "/activity_manage/config",
  ready: headed("活动管理"),
  act: async (page, scene) => {
    const before = await scene.operator.leftTimes(scene.granted.at(-1) ?? "");
    const code = await scene.authenticator.code();
    await page.getByRole("link", { name: "次数管理", exact: true }).click();
    await page.getByRole("button", { name: "批量添加" }).click();
    const dialog = page.getByRole("dialog", { name: "批量添加" });
    await expect(dialog.getByLabel(/账号/)).toBeFocused();
    await page.keyboard.insertText(scene.granted.join("\n"));
    await dialog.getByLabel("次数组别").click();
    await page.getByTitle("周末红包").last().click();
    await expect(page.locator(".ant-select-dropdown:visible")).toHaveCount(0);
    await page.keyboard.press("Tab");
    await page.keyboard.type(shown(Date.now() + 3 * DAY_MS));
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: `给 ${GRANTED} 个账号添加 ${GRANTED} 次` }).click();
    // So many draws may cost more than goes without a code.
    await expect(page.getByLabel("动态验证码")).toBeFocused();
    await page.keyboard.type(code);
    const report = page.getByRole("dialog").filter({ hasText: "批量添加结果" });
    await expect(report).toContainText(`已添加 ${GRANTED} 次`);
    return async () => {
      for (const name of scene.granted) {
        expect(await scene.operator.leftTimes(name)).toBe(before + 1);
      }
    };
  },
};

const stopEverything: Task = {
  what: "stop everything, from 次数管理",
  clicks: 2,
  from: "/activity_manage/add_num",
  ready: headed("次数管理"),
  act: async (page, scene) => {
    await page.getByRole("button", { name: "全部暂停", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "全部暂停？" });
    await dialog.getByRole("button", { name: "全部暂停" }).click();
    await expect(page.getByText("抽奖和发放已全部暂停")).toBeVisible();
    return async () => {
      expect(await scene.operator.stops()).toEqual(["draws", "payouts"]);
    };
  },
  undo: async (scene) => {
    const name = `task-starter-${Date.now()}`;
    const { operator, seed } = await scene.stage.operator(name);
    const code = codeOf(seed, stepAt(Date.now()) + 1);
    await operator.data("PUT", "/gred/api/stop/everything/start", null, code);
    expect(await operator.stops()).toEqual([]);
    // While there is another who may sign, who sent payouts of a round again does not sign it off.
    await scene.stage.redctl(`admin disable ${name}`);
  },
};

export const ROUND_TASKS: readonly Task[] = [copyRound, pauseRound, grantMany, stopEverything];
