/** Part 2: pools with prizes, rounds without a limit, and a platform key. */
import { conditionOf } from "./expected-chances.ts";
import type { Limits, Preset } from "./expected-chances.ts";
import { claim, claimEqual } from "./claims.ts";
import { instantOf, shown, windowOf } from "./context.ts";
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

function prize(
  award_name: string,
  award_price: string,
  weight: number,
  award_total: number,
  floors: 0 | 1 = 0,
): Prize {
  return { award_name, award_price, weight, award_total, floors };
}

const PLENTY: readonly Prize[] = [
  prize("0.88元红包", "0.88", 700, 100_000, 1),
  prize("8.88元红包", "8.88", 250, 100_000),
  prize("88.08元红包", "88.08", 45, 100_000),
  prize("保温杯", "0.00", 5, 100_000),
];

/** One hundred pieces: the rare ones sell out first, then the guaranteed one, then the rest. */
export const HUNDRED: readonly Prize[] = [
  prize("1.11元红包", "1.11", 10, 45, 1),
  prize("2.22元红包", "2.22", 500, 30),
  prize("3.33元红包", "3.33", 300, 15),
  prize("雨伞", "0.00", 190, 10),
];

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
}

/** Form of a round that can be drawn now and counts the rows of `window`. */
export function roundForm(window: Window, { name, tag, pool_name, preset, limits }: RoundWish) {
  const start_time = shown(Date.now() - 60_000);
  return {
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
    end_time: shown(instantOf(start_time) + 6 * 3_600_000),
  };
}

/** Makes a round that can be drawn now and counts the rows of `window`. */
export async function makeRound(
  operator: Operator,
  window: Window,
  wish: RoundWish,
): Promise<Round> {
  const { name, tag, preset } = wish;
  const form = roundForm(window, wish);
  const created = await operator.data("POST", "/gred/api/act", { ...form, rounds_status: 1 });
  return { id: numberAt(created, "id"), name, tag, date: form.start_time.slice(0, 10), preset };
}

export interface Setup {
  /** No limit, two draws each, on one hundred pieces. */
  readonly scarce: Round;
  /** No limit, five draws each, on the large pool. */
  readonly wide: Round;
}

export async function setUp(operator: Operator): Promise<Setup> {
  await makePool(operator, "充足池", PLENTY);
  await makePool(operator, "百件池", HUNDRED);
  const window = windowOf(Date.now());
  const noLimit = (name: string, pool_name: string, times: number) =>
    makeRound(operator, window, {
      name,
      tag: "weekend",
      pool_name,
      preset: { name, code: "0", value: "0", times },
    });
  return {
    scarce: await noLimit("百件", "百件池", 2),
    wide: await noLimit("人人有份", "充足池", 5),
  };
}

/** A platform key with every scope, made by the command line. */
export async function makeKey({ redctl }: Context): Promise<Key> {
  const made = await redctl("keys create --name outside --scopes ingest,draw,read --json");
  claim("redctl makes a platform key", made.code === 0, made);
  const key = parsed(made.out);
  return { key: textAt(key, "key"), secret: textAt(key, "secret") };
}
