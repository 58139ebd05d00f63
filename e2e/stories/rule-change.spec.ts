/** The effect of a new rule that the editor shows for a running round is what happens to its players' chances. */
import { expect } from "@playwright/test";
import { dig, textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { type } from "./form.ts";
import { makeOpenRound, MONEY } from "./round.ts";
import { openConsole, test } from "./stage.ts";

const PLAYER = { player_id: "compare-1", user_name: "compare01" };

// Many small steps on a possibly busy machine.
test.setTimeout(240_000);

test("before and after of a running round's rule, and then after", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const id = await makeOpenRound(operator, "改规则", 10, MONEY, {
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value: "120",
    condition_times: 1,
  });
  const created_at = new Date().toISOString();
  const deposit = { order_no: "compare", amount: "500.00", channel: 5, client: 1, created_at };
  await stage.platform.call("POST", "/open/v1/deposits", { deposits: [{ ...PLAYER, ...deposit }] });
  await stage.wallet.control("pay");
  await stage.platform.draw(askFor(id, PLAYER.player_id));
  await stage.platform.draw(askFor(id, PLAYER.player_id));
  const states = async () => (await operator.records(id)).map((one) => one.payout_state);
  await expect.poll(states, { timeout: 60_000 }).toEqual(["paid", "paid"]);
  const records = await operator.records(id);
  const chances = async () => {
    const path = `/open/v1/rounds/${id}/chances?player_id=${PLAYER.player_id}`;
    const { body } = await stage.platform.call("GET", path, null);
    return ["total", "already", "remain"].map((name) => dig(body, name));
  };
  expect(await chances()).toEqual([4, 2, 2]);

  await openConsole(page, stage, token, `/activity_manage/config?edit=${id}`);
  const dialog = page.getByRole("dialog", { name: "编辑活动" });
  const value = dialog.getByLabel("条件值");
  await expect(value).toHaveValue(/^120/, { timeout: 30_000 });
  const compare = dialog.getByRole("region", { name: "改动前后" });
  await expect(dialog.getByRole("heading", { name: "举例" })).toBeVisible();
  await expect(compare).toHaveCount(0);
  await type(page, value, "200");
  await expect(compare.getByRole("definition").first()).toContainText("合计每满 120，");
  await expect(compare.getByRole("definition").last()).toContainText("合计每满 200，");
  const did = page.getByRole("rowheader", { name: "累计存款 500", exact: true });
  const example = compare.getByRole("rowgroup").filter({ has: did });
  await expect(example.getByRole("cell")).toHaveText(["4 次", "2 次 少 2 次"]);
  await expect(compare).toContainText("仍计入已抽次数");
  // Nothing changes before saving.
  expect(await chances()).toEqual([4, 2, 2]);

  await dialog.getByRole("button", { name: "保存并立即生效" }).click();
  await expect(dialog).toBeHidden({ timeout: 30_000 });
  expect(await chances()).toEqual([2, 2, 0]);
  const refused = await stage.platform.draw(askFor(id, PLAYER.player_id));
  expect([refused.status, refused.code]).toEqual([409, "no_chance_left"]);
  // Earlier draws do not change.
  expect(await operator.records(id)).toEqual(records);
  const saved = await operator.data("GET", `/gred/api/act/${id}/edit`, null);
  expect(textAt(saved, "condition_value")).toBe("200");
});
