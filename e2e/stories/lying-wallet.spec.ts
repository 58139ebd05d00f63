import { expect } from "@playwright/test";
import { textAt } from "../outside/json.ts";
import { askFor } from "../outside/platform.ts";
import { makeOpenRound } from "./round.ts";
import { test, verify } from "./stage.ts";

const LIES = ["pay_then_500", "pay_then_html", "pay_then_drop", "pay_then_wrong_trans_sn"];

test("a wallet that pays and lies about it settles as paid, once", async ({ stage }) => {
  const { operator } = await stage.operator("doubter");
  const rounds_id = await makeOpenRound(operator, "谎言", 100);
  const players = LIES.map((mode) => ({ player_id: mode, user_name: mode }));
  await stage.platform.call("POST", "/open/v1/players", { players });
  const drawn: string[] = [];
  for (const mode of LIES) {
    await stage.wallet.control(mode);
    const { body } = await stage.platform.draw(askFor(rounds_id, mode));
    const trans_sn = textAt(body, "trans_sn");
    drawn.push(trans_sn);
    await expect.poll(() => stage.wallet.payCalls(trans_sn)).toBe(1);
    // Only the answer to the payment is a lie; queries get the truth.
    await stage.wallet.control("pay");
  }
  await expect(async () => {
    const records = await operator.records(rounds_id);
    expect(records.map((record) => record.award_status)).not.toContain(2);
    expect(records.map((record) => record.payout_state)).toEqual(LIES.map(() => "paid"));
  }).toPass({ timeout: 45_000 });
  for (const [at, mode] of LIES.entries()) {
    expect(await stage.wallet.creditsOf(mode)).toEqual([
      { trans_sn: drawn[at], amount: "1.00", player_id: mode },
    ]);
    expect(await stage.wallet.payCalls(drawn[at] ?? "")).toBe(1);
  }
  expect(await verify(stage)).toBe(true);
});
