/** Data of an ordinary day: a refused payout and an undelivered prize, since these allow the most actions. */
import { expect } from "@playwright/test";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { GOODS, makeOpenRound } from "../stories/round.ts";
import type { Stage } from "../stories/stage.ts";
import { NOTHING } from "./worst.ts";
import type { Ids } from "./worst.ts";

/** Ordinary length: 16 characters. */
const PLAYER = { player_id: "ordinary-1", user_name: "golden_dragon_88" };
const ROUND = "单笔充值抽实物";

/** Texts that operators wrote here, the longest first. */
export const WRITTEN = ["周末加场红包雨", ROUND, "1.00元红包", GOODS.award_name] as const;

export async function fillOrdinary(stage: Stage, operator: Operator): Promise<Ids> {
  const { data } = operator;
  const { platform, wallet } = stage;
  const came = { ...PLAYER, created_at: new Date().toISOString() };
  const deposit = { ...came, order_no: "D4ea6ea1c-b91e-456f", amount: "12345.60", channel: 8 };
  await platform.call("POST", "/open/v1/deposits", { deposits: [{ ...deposit, client: 3 }] });
  const bet = { ...came, bet_no: "B29bfe046-ab6b-4753", valid_bet_amount: "12345.60" };
  await platform.call("POST", "/open/v1/bets", { bets: [{ ...bet, platform: 5234 }] });
  const rounds = [
    await makeOpenRound(operator, WRITTEN[0], 100),
    await makeOpenRound(operator, ROUND, 100, GOODS),
  ];
  await wallet.control("refuse", { reason: "daily credit limit reached" });
  for (const one of rounds) {
    await platform.draw(askFor(one, PLAYER.player_id));
  }
  const { user_name } = PLAYER;
  const states = async () => {
    const records = await data("GET", `/gred/api/record/list?user_name=${user_name}`, null);
    return listAt(records, "content").map((row) => textAt(row, "payout_state"));
  };
  await expect.poll(states).toEqual(["waiting_delivery", "refused"]);
  await wallet.control("pay");
  const extra = { user_name, tag: "weekend", expire_time: "2036-01-01 00:00:00" };
  await data("POST", "/gred/api/extratimes", extra);
  const [, round = 0] = rounds;
  const pools = listAt(await data("GET", "/gred/api/pool", null), "content");
  const pool = pools.find((one) => dig(one, "pool_name") === `${ROUND}池`);
  const prizes = `/gred/api/prize/list?pool_name=${encodeURIComponent(`${ROUND}池`)}`;
  const act = await data("GET", `/gred/api/act/${round}/edit`, null);
  const [day, start, end] = ["start_time", "achieve_start_time", "achieve_end_time"].map((name) =>
    textAt(act, name),
  );
  const query = new URLSearchParams({ start_date: String(day).slice(0, 10), rounds_name: ROUND });
  query.append("achieve_start_time", String(start));
  query.append("achieve_end_time", String(end));
  query.append("user_name", user_name);
  return {
    ...NOTHING,
    round,
    rounds_name: ROUND,
    pool: numberAt(pool, "id"),
    prize: numberAt(dig(await data("GET", prizes, null), "content", 0), "id"),
    award_name: GOODS.award_name,
    account: user_name,
    query: `?${query.toString()}`,
  };
}
