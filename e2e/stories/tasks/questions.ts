/** Questions to support: why only one chance, where is my money, and re-issuing a refused payout. */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { dig, listAt, numberAt, textAt } from "../../outside/json.ts";
import { headed } from "./scene.ts";
import type { Scene, Task } from "./scene.ts";

const PAGES = {
  活动管理: "/activity_manage/config",
  奖品管理: "/activity_manage/prize",
  活动数据查询: "/activity_manage/query",
  发放记录: "/activity_manage/distribution",
  存款投注查询: "/activity_manage/deposit_bet",
  用户数据查询: "/activity_manage/record",
  次数管理: "/activity_manage/add_num",
  组别与站内信: "/activity_manage/tag",
  钱包对账: "/activity_manage/reconciliation",
  活动对账表: "/activity_manage/sheet",
} as const;

const WHY = "可以抽奖：还剩 1 次（共 1 次，已抽 0 次）；存款再有 110.00 可得 1 次。";

function drawerOf(page: Page, name: string) {
  return page.getByRole("dialog", { name: `玩家 ${name}` });
}

/** By mouse: clicks the field, then the match below it. */
async function findByMouse(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "查找", exact: true }).click();
  await page.keyboard.type(name);
  const found = page.locator(".ant-select-item-option").filter({ hasText: `${name}-id` });
  await found.click();
}

async function checkWhy({ operator, asked, asker }: Scene): Promise<void> {
  const told = await operator.lottimes({ rounds_id: asked.id, user_name: asker });
  expect(told).toEqual({ total: 1, already: 0, remain: 1 });
}

/** Reads the answer on the screen; answers a check against the API. */
async function readWhy(page: Page, scene: Scene): Promise<() => Promise<void>> {
  const { asked, asker } = scene;
  const why = drawerOf(page, asker).getByRole("region", { name: "能不能抽奖" });
  await expect(why.getByRole("listitem").filter({ hasText: asked.name })).toContainText(WHY);
  return () => checkWhy(scene);
}

/** Lists that the operator has open. */
const LISTS = {
  发放记录: "/activity_manage/distribution?user_name=task_asker",
  存款投注查询: "/activity_manage/deposit_bet?user_name=task_asker",
} as const;

const whyFromAccount = Object.entries(LISTS).map(([heading, from]): Task => ({
  what: `why only one chance, from an account name on ${heading}`,
  clicks: 2,
  from,
  ready: async (page) => {
    await expect(page.getByRole("button", { name: "查看玩家 task_asker" }).first()).toBeVisible();
  },
  act: async (page, scene) => {
    await page.getByRole("button", { name: "查看玩家 task_asker" }).first().click();
    return await readWhy(page, scene);
  },
}));

const whyFromAnywhere = Object.entries(PAGES).map(([heading, from]): Task => ({
  what: `why only one chance, asked on ${heading}`,
  clicks: 2,
  from,
  ready: headed(heading),
  act: async (page, scene) => {
    await findByMouse(page, scene.asker);
    return await readWhy(page, scene);
  },
}));

async function payoutsOf({ operator }: Scene, user_name: string): Promise<unknown[]> {
  const head = await operator.data("GET", `/gred/api/player/head?user_name=${user_name}`, null);
  return listAt(head, "payouts");
}

const whereIsTheMoney: Task = {
  what: "where is my money, asked on 奖品管理",
  clicks: 2,
  from: PAGES.奖品管理,
  ready: headed("奖品管理"),
  act: async (page, scene) => {
    const { asker } = scene;
    await findByMouse(page, asker);
    const money = drawerOf(page, asker).getByRole("region", { name: "奖金在哪里" });
    await expect(money.getByRole("listitem")).not.toHaveCount(0);
    const told = await money.innerText();
    return async () => {
      const sums = await payoutsOf(scene, asker);
      expect(sums.length).toBeGreaterThan(0);
      for (const sum of sums) {
        const count = numberAt(sum, "count");
        const isThing = textAt(sum, "payout_state") === "waiting_delivery";
        expect(told).toContain(
          isThing ? `${count} 件实物` : `${count} 笔 ${textAt(sum, "amount")}`,
        );
      }
    };
  },
};

interface Refused {
  readonly user_name: string;
  readonly log_id: number;
  readonly attempts: number;
}

/** A player with exactly one refused payout; the operator knows the name, not the record. */
async function someRefused({ operator }: Scene): Promise<Refused> {
  const path = "/gred/api/record/list?award_status=2&page=1&size=1000";
  const rows = listAt(await operator.data("GET", path, null), "content").filter(
    (row) => textAt(row, "payout_state") === "refused",
  );
  const names = rows.map((row) => textAt(row, "user_name"));
  const alone = rows.find((_, at) => names.filter((name) => name === names[at]).length === 1);
  return {
    user_name: textAt(alone, "user_name"),
    log_id: numberAt(alone, "log_id"),
    attempts: numberAt(alone, "attempts"),
  };
}

async function attemptsOf({ operator }: Scene, { user_name, log_id }: Refused): Promise<number> {
  const path = `/gred/api/record/list?user_name=${user_name}&page=1&size=1000`;
  const rows = listAt(await operator.data("GET", path, null), "content");
  return numberAt(
    rows.find((row) => dig(row, "log_id") === log_id),
    "attempts",
  );
}

const reissueOne: Task = {
  what: "re-issue one, asked on 活动管理",
  clicks: 3,
  from: PAGES.活动管理,
  ready: headed("活动管理"),
  act: async (page, scene) => {
    const refused = await someRefused(scene);
    await page.getByRole("combobox", { name: "查找", exact: true }).click();
    await page.keyboard.type(refused.user_name);
    await page.keyboard.press("Enter");
    const money = drawerOf(page, refused.user_name).getByRole("region", { name: "奖金在哪里" });
    await money.getByRole("button", { name: "补发被拒绝的 1 笔" }).click();
    const sure = page.getByRole("dialog", { name: "confirm reissue?" });
    await sure.getByRole("button", { name: "确定" }).click();
    await expect(sure).toBeHidden();
    return async () => {
      const attempts = () => attemptsOf(scene, refused);
      await expect.poll(attempts, { timeout: 60_000 }).toBeGreaterThan(refused.attempts);
    };
  },
};

export const QUESTIONS: readonly Task[] = [
  ...whyFromAccount,
  ...whyFromAnywhere,
  whereIsTheMoney,
  reissueOne,
];
