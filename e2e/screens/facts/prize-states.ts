/** Pools, prizes, and their import (spec §2, §5, §8). */
import type { Page } from "@playwright/test";
import { dig, listAt, textAt } from "../../outside/json.ts";
import type { Scene, States } from "./scene.ts";

const PAGE = "/activity_manage/prize";
const MEGABYTE = 1_048_576;

async function openPool(scene: Scene, pool: string): Promise<Page> {
  const page = await scene.open(PAGE);
  await page.getByRole("tab", { name: pool, exact: true }).click();
  await page.getByRole("table").getByRole("button").first().waitFor();
  return page;
}

async function openDialog(scene: Scene, button: string | RegExp): Promise<Page> {
  const page = await openPool(scene, "事实池");
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("dialog").waitFor();
  return page;
}

const newPrize = (scene: Scene) => openDialog(scene, "新增奖品");
const editMoney = (scene: Scene) => openDialog(scene, "编辑 8.88元红包");

async function save(page: Page): Promise<Page> {
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^保存/ })
    .click();
  return page;
}

async function fill(page: Page, award_name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "奖品", exact: true }).fill(award_name);
  await dialog.getByLabel("权重").fill("0");
  await dialog.getByLabel("奖品总数").fill("0");
  await dialog.getByLabel("奖品额度").fill("1.00");
  await dialog.getByRole("radio", { name: "否" }).check();
}

/** A prize without weight and stock, which leaves the pool's sums as they were. */
async function freshPrize(scene: Scene): Promise<string> {
  const award_name = scene.fresh("一次性奖品");
  const prize = { award_name, award_price: "1.00", weight: 0, award_total: 0, floors: 0 };
  await scene.operator.data("POST", "/gred/api/prize", { pool_name: "现金池", ...prize });
  return award_name;
}

async function askToDelete(scene: Scene): Promise<Page> {
  const name = await freshPrize(scene);
  const page = await openPool(scene, "现金池");
  await page.getByRole("button", { name: `删除 ${name}` }).click();
  await page.getByRole("dialog").waitFor();
  return page;
}

async function choose(scene: Scene, name: string, content: string | Buffer): Promise<Page> {
  const page = await openDialog(scene, "批量导入");
  const buffer = Buffer.from(content);
  const mimeType = "application/octet-stream";
  await page.locator("input[type=file]").setInputFiles({ name, mimeType, buffer });
  return page;
}

/** Of exactly so many bytes, all of one row that names no prize. */
const sized = (scene: Scene, bytes: number) => choose(scene, "prizes.csv", "x".repeat(bytes));

async function withoutPools(scene: Scene): Promise<Page> {
  const { switchboard } = scene.stage;
  switchboard.swallow("GET /gred/api/pool", { content: [], total: 0 });
  const page = await scene.open(PAGE);
  await page.getByText("还没有奖池，请先添加奖池").waitFor();
  switchboard.swallow(null);
  return page;
}

async function removeNumberedPools({ operator }: Scene): Promise<void> {
  const pools = listAt(await operator.data("GET", "/gred/api/pool", null), "content");
  for (const pool of pools) {
    if (textAt(pool, "pool_name").startsWith("pool ")) {
      await operator.data("DELETE", `/gred/api/pool/${String(dig(pool, "id"))}`, null);
    }
  }
}

export const prizeStates: States = {
  opened: (scene) => openPool(scene, "事实池"),
  "no pool": async (scene) => {
    const page = await withoutPools(scene);
    await page.getByRole("button", { name: "新增奖品" }).click();
    return page;
  },
  "no pool, import": async (scene) => {
    const page = await withoutPools(scene);
    await page.getByRole("button", { name: "批量导入" }).click();
    return page;
  },
  "on the entry for a new pool": async (scene) => {
    const page = await scene.open(`${PAGE}?pool=-1`);
    await page.getByRole("tab", { name: "事实池" }).waitFor();
    await page.getByRole("button", { name: "新增奖品" }).click();
    return page;
  },
  "pool added": async (scene) => {
    await removeNumberedPools(scene);
    const page = await openPool(scene, "事实池");
    await page.getByRole("tab", { name: "添加奖池" }).click();
    await page.getByRole("tab", { name: "pool 1" }).waitFor();
    return page;
  },
  "deletion asked": askToDelete,
  deleted: async (scene) => {
    const page = await askToDelete(scene);
    await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
    return page;
  },
  "export asked": async (scene) => {
    const page = await openPool(scene, "事实池");
    await page.getByRole("button", { name: "批量导出" }).click();
    return page;
  },
};

export const prizeDialogStates: States = {
  "new prize": newPrize,
  "saved with nothing entered": async (scene) => save(await newPrize(scene)),
  "physical chosen": async (scene) => {
    const page = await newPrize(scene);
    await page.getByRole("dialog").getByRole("radio", { name: "实物" }).check();
    return page;
  },
  "money prize edited": editMoney,
  "physical prize edited": (scene) => openDialog(scene, "编辑 保温杯"),
  added: async (scene) => {
    const page = await openPool(scene, "现金池");
    await page.getByRole("button", { name: "新增奖品" }).click();
    await fill(page, scene.fresh("新奖品"));
    return await save(page);
  },
  "adding refused": async (scene) => {
    const page = await newPrize(scene);
    await fill(page, "保温杯");
    return await save(page);
  },
  saved: async (scene) => save(await editMoney(scene)),
  "saving refused": async (scene) => {
    const page = await editMoney(scene);
    await page
      .getByRole("dialog")
      .getByRole("textbox", { name: "奖品", exact: true })
      .fill("保温杯");
    return await save(page);
  },
};

const HEADER = "奖池,奖品,奖品额度,权重,奖品总数,是否保底\n";

export const importStates: States = {
  opened: (scene) => openDialog(scene, "批量导入"),
  "a text file": (scene) => choose(scene, "prizes.txt", HEADER),
  "a file of 1 MB": (scene) => sized(scene, MEGABYTE),
  "a file of 1 byte less": async (scene) => {
    const page = await sized(scene, MEGABYTE - 1);
    await page.getByRole("dialog").getByText("文件：prizes.csv").waitFor();
    return page;
  },
  "an xlsx file": (scene) => choose(scene, "prizes.xlsx", "no workbook"),
  "an xls file": (scene) => choose(scene, "prizes.xls", "no workbook"),
  // The first bytes of a zip, as which a workbook is told by its content.
  "a broken workbook": (scene) => choose(scene, "prizes.xlsx", "PK\u0003\u0004 no workbook"),
  imported: async (scene) => {
    const page = await choose(
      scene,
      "prizes.csv",
      `${HEADER}现金池,${scene.fresh("导入")},1,0,0,否\n`,
    );
    await page.getByRole("dialog").getByRole("button", { name: "导入", exact: true }).click();
    return page;
  },
};
