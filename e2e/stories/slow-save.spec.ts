/** A save that takes its time: closing its dialog takes nothing back, and nobody is told that it does. */
import { expect } from "@playwright/test";
import { listAt, numberAt } from "../outside/json.ts";
import { openConsole, openPool, test, verify } from "./stage.ts";

const POOL = "慢存池";
const NAME = "保温杯";

test("stock is added once, though its dialog was closed meanwhile", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("waiter");
  const made = await operator.data("POST", "/gred/api/prize", {
    pool_name: POOL,
    award_name: NAME,
    award_price: "0.00",
    weight: 1,
    award_total: 10,
    floors: 0,
  });
  const total = async () => {
    const path = `/gred/api/prize/list?pool_name=${encodeURIComponent(POOL)}`;
    const [prize] = listAt(await operator.data("GET", path, null), "content");
    return numberAt(prize, "award_total");
  };
  const slow = `PUT /gred/api/prize/${numberAt(made, "id")}/stock`;
  await openConsole(page, stage, token, "/activity_manage/prize");
  await openPool(page, POOL);
  const open = page.getByRole("button", { name: `补库存 ${NAME}` });
  const dialog = page.getByRole("dialog", { name: "补库存" });
  const question = page.getByRole("dialog").filter({ hasText: "正在保存，确定关闭？" });
  const row = page.getByRole("row", { name: new RegExp(NAME) });
  const add = async (count: string) => {
    await open.click();
    await dialog.getByLabel("增加数量").fill(count);
    await dialog.getByRole("button", { name: "增加库存" }).click();
    await expect(dialog.getByText(/^仍在保存… 已等待 \d+ 秒$/)).toBeVisible();
    await dialog.getByRole("button", { name: "取消" }).click();
    await expect(question).toContainText("已提交，结果未知");
  };

  stage.switchboard.hold(slow);
  await add("10");
  await question.getByRole("button", { name: "关闭" }).click();
  await expect(dialog).toBeHidden();
  expect(await total()).toBe(10);
  // What was entered is on its way: it is not put back, to be submitted a second time.
  await open.click();
  await expect(dialog.getByLabel("增加数量")).toHaveValue("");
  stage.switchboard.hold(null);
  await expect(row).toContainText("20");
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "取消" }).click();
  await expect(dialog).toBeHidden();
  expect(await total()).toBe(20);

  // The save ends while it is being asked: nothing is left to be asked.
  stage.switchboard.hold(slow);
  await add("5");
  stage.switchboard.hold(null);
  await expect(question).toBeHidden();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("25");
  expect(await total()).toBe(25);
  expect(await verify(stage)).toBe(true);
});
