/** Story 8: a player asks how many draws are left, and what has been received so far. */
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { textAt } from "../../outside/json.ts";
import { askFor } from "../../outside/platform.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

const PLAYER = { player_id: "asker-1", user_name: "asker01" };

test("draws of a player in a round, and the player's day", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "客服问答", 100, undefined, {
    draws_max: 3,
  });
  await stage.platform.call("POST", "/open/v1/players", { players: [PLAYER] });
  await stage.platform.draw(askFor(rounds_id, PLAYER.player_id));
  const created_at = new Date().toISOString();
  await stage.platform.call("POST", "/open/v1/deposits", {
    deposits: [
      { ...PLAYER, order_no: "asked-1", amount: "66.60", channel: 1, client: 1, created_at },
    ],
  });
  const start_date = shown(Date.now()).slice(0, 10);

  await openConsole(page, stage, token, "/activity_manage/record");
  await page.getByRole("button", { name: "用户活动查询" }).click();
  const draws = page.getByRole("dialog", { name: "用户活动查询" });
  await draws.getByLabel("账号").fill(PLAYER.user_name);
  await draws.getByLabel("活动日期").fill(start_date);
  await draws.getByLabel("活动日期").press("Enter");
  await draws.getByLabel("活动名称").fill("客服问答");
  await draws.getByLabel("活动名称").press("Enter");
  await draws.getByRole("button", { name: "查询", exact: true }).click();
  const figures = "总次数3已抽1剩余2还有获得的次数，因「本活动每人上限」不能抽。";
  await expect(draws.getByRole("status")).toContainText(figures);
  // From the figures to their rows and back.
  await draws.getByRole("button", { name: "逐笔查看为什么算、为什么不算" }).click();
  const explained = page.getByRole("dialog", { name: PLAYER.user_name });
  await expect(explained).toContainText("客服问答");
  await expect(explained.getByLabel("次数构成")).toContainText("上限减去2总次数3");
  await page.keyboard.press("Escape");
  await expect(explained).toBeHidden();
  await expect(draws.getByRole("status")).toContainText(figures);
  await draws.getByRole("button", { name: "关闭" }).click();
  await expect(draws).toBeHidden();

  await page.getByRole("button", { name: "玩家信息" }).click();
  const info = page.getByRole("dialog", { name: "玩家信息查询" });
  await info.getByLabel("账号").fill(PLAYER.user_name);
  await info.getByRole("button", { name: "查询", exact: true }).click();
  const known = await operator.data("POST", "/red/record/playerInfo", {
    player_name: PLAYER.user_name,
  });
  expect(textAt(known, "vaildAmount")).toBe("66.60");
  // Earlier stories decide which of the day's rounds this is.
  const wins = ["totalPrice1", "totalPrice2", "totalPrice3"].map((key) => textAt(known, key));
  await expect(info.getByRole("status")).toContainText(
    `有效存款金额66.60第一场红包雨${wins[0]}第二场红包雨${wins[1]}第三场红包雨${wins[2]}`,
  );

  // When this answer comes, another account is entered: it must be ignored.
  stage.switchboard.hold("POST /red/record/playerInfo", "answer");
  const asked = page.waitForRequest(/playerInfo$/);
  await info.getByRole("button", { name: "查询", exact: true }).click();
  const answered = (await asked).response();
  await info.getByLabel("账号").fill("some");
  stage.switchboard.hold(null);
  await (await answered)?.finished();
  await info.getByLabel("账号").pressSequentially("body", { delay: 50 });
  await expect(info.getByRole("status")).toContainText("有效存款金额0");
});
