/** Rounds made by API for stories about something else. */
import { shown } from "../outside/context.ts";
import { numberAt } from "../outside/json.ts";
import type { Operator } from "../outside/operator.ts";

/** A prize of money needs a payout; a physical one does not. */
const MONEY = { award_name: "1.00元红包", award_price: "1.00" };
export const GOODS = { award_name: "保温杯", award_price: "0.00" };

/** A running round without a condition, five draws each, on a pool of `stock` prizes. */
export async function makeOpenRound(
  operator: Operator,
  name: string,
  stock: number,
  prize = MONEY,
): Promise<number> {
  const pool_name = `${name}池`;
  await operator.data("POST", "/gred/api/prize", {
    pool_name,
    ...prize,
    weight: 1,
    award_total: stock,
    floors: 1,
  });
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
  });
  return numberAt(made, "id");
}
