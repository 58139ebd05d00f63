import { expect } from "@playwright/test";
import { shown } from "../outside/context.ts";
import { listAt, numberAt } from "../outside/json.ts";
import { pick, type } from "./form.ts";
import { openConsole, test } from "./stage.ts";

test("a button pressed twice in haste adds one time, to that player", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const players = ["haste-1", "haste-10"].map((id) => ({ player_id: id, user_name: id }));
  await stage.platform.call("POST", "/open/v1/players", { players });
  const path = "/gred/api/extratimes";
  const left = async (name: string) =>
    numberAt(await operator.data("GET", `${path}/total?user_name=${name}`, null), "left_times");
  const rows = async (name: string) =>
    listAt(await operator.data("GET", `${path}/list?user_name=${name}`, null), "content").length;

  await openConsole(page, stage, token, "/activity_manage/add_num");
  const form = page.getByRole("region", { name: "添加次数" });
  const account = form.getByLabel("账号");
  const expiry = shown(Date.now() + 3 * 86_400_000);
  await pick(page, form.getByLabel("次数组别"), "周末红包");
  await type(page, form.getByLabel("过期时间"), expiry);
  await account.fill("haste-1");
  await form.getByRole("button", { name: "添加" }).dblclick();
  // Cleared for the next player.
  await expect(account).toHaveValue("");
  expect([await left("haste-1"), await rows("haste-1")]).toEqual([1, 1]);
  expect([await left("haste-10"), await rows("haste-10")]).toEqual([0, 0]);

  // By keyboard for the other player; group and expiry are kept.
  await account.fill("haste-10");
  await account.press("Enter");
  await account.press("Enter");
  await expect(account).toHaveValue("");
  await expect(page.getByRole("row", { name: /haste-10/ })).toHaveCount(1);
  expect([await left("haste-1"), await rows("haste-1")]).toEqual([1, 1]);
  expect([await left("haste-10"), await rows("haste-10")]).toEqual([1, 1]);
});
