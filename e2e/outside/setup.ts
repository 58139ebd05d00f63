/** Pools with prizes, rounds, and a platform key. */
import { conditionOf } from "./expected-chances.ts";
import type { Limits, Preset } from "./expected-chances.ts";
import { claimEqual } from "./claims.ts";
import { instantOf, shown } from "./context.ts";
import type { Context, Round, Window } from "./context.ts";
import { numberAt, parsed, textAt } from "./json.ts";
import type { Operator } from "./operator.ts";
import type { Key } from "./signature.ts";

export interface Prize {
  readonly award_name: string;
  readonly award_price: string;
  readonly weight: number;
  readonly award_total: number;
  readonly floors: 0 | 1;
}

export async function makePool(operator: Operator, pool_name: string, prizes: readonly Prize[]) {
  const { data } = operator;
  numberAt(await data("POST", "/gred/api/pool", { pool_name }), "id");
  for (const one of prizes) {
    numberAt(await data("POST", "/gred/api/prize", { ...one, pool_name }), "id");
  }
  const query = `pool_name=${encodeURIComponent(pool_name)}`;
  const totals = await data("GET", `/gred/api/prize/retotal?${query}`, null);
  const sum = (of: (one: Prize) => number) => prizes.reduce((all, one) => all + of(one), 0);
  claimEqual(`pool ${pool_name} totals its prizes`, totals, [
    { prize_total: sum((one) => one.award_total), weight_total: sum((one) => one.weight) },
  ]);
}

export interface RoundWish {
  readonly name: string;
  readonly tag: string;
  readonly pool_name: string;
  readonly preset: Preset;
  readonly limits?: Limits;
  /** When it runs, in local time; by default for six hours from now. */
  readonly times?: { readonly start: string; readonly end: string };
}

/** Makes a round that counts the rows of `window`. */
export async function makeRound(
  operator: Operator,
  window: Window,
  wish: RoundWish,
): Promise<Round> {
  const { name, tag, pool_name, preset, limits, times } = wish;
  const start_time = times?.start ?? shown(Date.now() - 60_000);
  const created = await operator.data("POST", "/gred/api/act", {
    rounds_name: name,
    tag,
    red_code: "RED_PACKET",
    pool_name,
    ...conditionOf(preset),
    ...limits,
    turnover: 3,
    achieve_start_time: window.start,
    achieve_end_time: window.end,
    start_time,
    end_time: times?.end ?? shown(instantOf(start_time) + 6 * 3_600_000),
    rounds_status: 1,
  });
  return { id: numberAt(created, "id"), name, tag, date: start_time.slice(0, 10), preset };
}

/** A key made by the command line, by default of a platform. */
export async function makeKey(
  redctl: Context["redctl"],
  name: string,
  scopes = "ingest,draw,read",
): Promise<Key> {
  const { out } = await redctl(`keys create --name ${name} --scopes ${scopes} --json`);
  return { key: textAt(parsed(out), "key"), secret: textAt(parsed(out), "secret") };
}
