/** Rounds made by API for stories about something else. */
import { shown } from "../outside/context.ts";
import { numberAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";

/** A prize of money needs a payout; a physical one does not. */
export const MONEY = { award_name: "1.00元红包", award_price: "1.00" };
export const GOODS = { award_name: "保温杯", award_price: "0.00" };

/** A prize of a pool that may be new: ten pieces of 1.00, but for `more`. */
export async function makePrize({ data }: Operator, pool_name: string, more: object = {}) {
  const prize = { ...MONEY, weight: 1, award_total: 10, floors: 1, ...more };
  return numberAt(await data("POST", "/gred/api/prize", { pool_name, ...prize }), "id");
}

/** A running round without a condition, five draws each, but for `more`, on a pool of `stock` prizes. */
export async function makeOpenRound(
  operator: Operator,
  name: string,
  stock: number,
  prize = MONEY,
  more: object = {},
): Promise<number> {
  const pool_name = `${name}池`;
  await makePrize(operator, pool_name, { ...prize, award_total: stock });
  const now = Date.now();
  // Today, just after midnight too: stories look for the rounds of the day.
  const start = [shown(now - 3_600_000), `${shown(now).slice(0, 10)} 00:00:00`].toSorted()[1];
  const window = {
    start_time: start,
    end_time: shown(now + 6 * 3_600_000),
    achieve_start_time: start,
    achieve_end_time: shown(now + 6 * 3_600_000),
  };
  const made = await operator.data("POST", "/gred/api/act", {
    rounds_name: name,
    tag: "weekend",
    red_code: "RED_PACKET",
    pool_name,
    condition_name: "0",
    condition_formula: "",
    condition_type: "",
    condition_value: "0",
    condition_times: 5,
    turnover: 1,
    ...window,
    ...more,
  });
  return numberAt(made, "id");
}
