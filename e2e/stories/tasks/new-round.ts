/** Tonight's round with a new pool of six prizes: typed by hand, or pasted from a spreadsheet. */
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { listAt, numberAt, textAt } from "../../outside/json.ts";
import { headed } from "./scene.ts";
import type { Scene, Task } from "./scene.ts";

/** Prize, amount, weight, total; the last one is guaranteed. */
const PRIZES = [
  ["188", "188", "1", "5"],
  ["88", "88", "5", "10"],
  ["18", "18", "50", "100"],
  ["8", "8", "100", "200"],
  ["cup", "0", "20", "50"],
  ["1", "1", "500", "900"],
] as const;
const TABLE = PRIZES.map((cells, at) => [...cells, at === 5 ? "是" : "否"].join("\t")).join("\n");

const typed = async ({ keyboard }: Page) => {
  for (const [at, cells] of PRIZES.entries()) {
    for (const [place, cell] of cells.entries()) {
      await keyboard.type(cell);
      await keyboard.press(place < 3 || at === 5 ? "Tab" : "Enter");
    }
  }
  await keyboard.press("Space");
};

const pasted = async (page: Page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(TABLE)})`);
  await page.keyboard.press("Control+V");
};

async function makePool(page: Page, enter: (page: Page) => Promise<void>): Promise<string> {
  const dialog = page.getByRole("dialog", { name: "新建奖池" });
  const name: Locator = dialog.getByLabel("新奖池的名称");
  await expect(name).toBeFocused();
  const pool = await name.inputValue();
  await page.keyboard.press("Enter");
  await enter(page);
  await expect(dialog.getByText("6 种奖品，权重合计 676")).toBeVisible();
  await dialog.getByRole("button", { name: "创建奖池" }).click();
  await expect(dialog).toBeHidden();
  return pool;
}

function newRound(
  what: string,
  limits: Pick<Task, "clicks" | "keys">,
  enter: (page: Page) => Promise<void>,
): Task {
  const name = "vip";
  const find = async ({ operator }: Scene) => {
    const path = `/gred/api/act/list?rounds_name=${name}&page=1&size=9`;
    return listAt(await operator.data("GET", path, null), "content")[0];
  };
  return {
    what,
    ...limits,
    from: "/activity_manage/config",
    ready: headed("活动管理"),
    act: async (page, scene) => {
      await page.getByRole("button", { name: "新增活动" }).click();
      const dialog = page.getByRole("dialog", { name: "新增活动" });
      await expect(dialog.getByLabel("活动名称")).toBeFocused();
      await page.keyboard.type(name);
      await dialog.getByRole("button", { name: "新建奖池" }).click();
      const pool = await makePool(page, enter);
      await dialog.getByText("累计有效存款每满", { exact: false }).first().click();
      await dialog.getByRole("combobox", { name: "流水倍数" }).click();
      await page.keyboard.type("1");
      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: /^[今明]晚 20–22/ }).click();
      await dialog.getByRole("button", { name: /^保存/ }).click();
      await expect(dialog).toBeHidden();
      return async () => {
        expect(textAt(await find(scene), "pool_name")).toBe(pool);
        const prizes = await scene.operator.prizes(pool);
        expect(prizes.map((prize) => textAt(prize, "award_name"))).toEqual(
          PRIZES.map(([award]) => award),
        );
        expect(prizes.map((prize) => numberAt(prize, "floors"))).toEqual([0, 0, 0, 0, 0, 1]);
      };
    },
    undo: async (scene) => {
      const { operator } = scene;
      const round = await find(scene);
      const id = numberAt(round, "id");
      await operator.data("PUT", `/gred/api/act/pause/${id}`, { rounds_status: 0 });
      await operator.data("DELETE", `/gred/api/act/${id}`, null);
    },
  };
}

export const NEW_ROUND_TASKS: readonly Task[] = [
  newRound("a new round with a new pool of six prizes", { clicks: 12, keys: 110 }, typed),
  newRound("the same, pasted from a spreadsheet", { clicks: 9 }, pasted),
];
