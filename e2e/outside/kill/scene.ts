/** Pools, rounds of every kind of chance, and players for the draws during the kills. */
import { shown } from "../context.ts";
import type { Round, Window } from "../context.ts";
import { dig, numberAt } from "../json.ts";
import { makePool, makeRound } from "../setup.ts";
import type { Prize } from "../setup.ts";
import type { Site } from "./stage.ts";

export const EVERYBODY = 3_000;
/** Players with deposits and extra times. */
export const DEPOSITORS = 400;
/** Extra times of each depositor; one more expires during the proof. */
export const EXTRA_TIMES = 9;
export const CENTS_PER_DRAW = 1_000n;

const TAG = "dragon";
const BIG_POOL = "大池";
export const PRICED: Prize = {
  award_name: "8.88元红包",
  award_price: "8.88",
  weight: 200,
  award_total: 1_000_000,
  floors: 0,
};

export interface Scene {
  readonly window: Window;
  /** Five draws for each player. */
  readonly free: Round;
  /** The same, paused and resumed all the time. */
  readonly paused: Round;
  /** One draw for each 10.00 deposited. */
  readonly earned: Round;
  /** Extra times only, with its own pool. */
  readonly granted: Round;
  readonly pool_name: string;
  /** Id of `PRICED`. */
  readonly priced: number;
}

export function playerId(player: number): string {
  return `k-${player}`;
}

function userName(player: number): string {
  return `Kill_${player}`;
}

/** A player's names at the platform. */
export function named(player: number) {
  return { player_id: playerId(player), user_name: userName(player) };
}

async function makePlayers({ platform }: Site): Promise<void> {
  const players = Array.from({ length: EVERYBODY }, (_, player) => named(player));
  const { status, text } = await platform.call("POST", "/open/v1/players", { players });
  if (status !== 200) {
    throw new Error(`players → ${status} ${text}`);
  }
}

async function grant({ operator }: Site): Promise<void> {
  const user_names = Array.from({ length: DEPOSITORS }, (_, player) => userName(player));
  const soon = Array.from({ length: EXTRA_TIMES + 1 }, (_, at) => (at === 0 ? 90_000 : 86_400_000));
  for (const ms of soon) {
    const expire_time = shown(Date.now() + ms);
    await operator.data("POST", "/gred/api/extratimes/grant", {
      user_names,
      tag: TAG,
      expire_time,
    });
  }
}

/** Deposits of `window` count. */
export async function setScene(stage: Site, window: Window): Promise<Scene> {
  const { operator } = stage;
  const rest = { award_total: 1_000_000, floors: 0 } as const;
  await makePool(operator, BIG_POOL, [
    { ...rest, award_name: "0.88元红包", award_price: "0.88", weight: 600, floors: 1 },
    PRICED,
    // Sells out during the proof.
    { award_name: "88.08元红包", award_price: "88.08", weight: 150, award_total: 250, floors: 0 },
    { ...rest, award_name: "保温杯", award_price: "0.00", weight: 50 },
  ]);
  await makePool(operator, "小池", [
    { ...rest, award_name: "1.11元红包", award_price: "1.11", weight: 9, floors: 1 },
    { award_name: "66.66元红包", award_price: "66.66", weight: 1, award_total: 40, floors: 0 },
  ]);
  const free = { code: "0", value: "0", times: 5 };
  const make = (name: string, tag: string, pool_name: string, preset: typeof free) =>
    makeRound(operator, window, { name, tag, pool_name, preset: { name, ...preset } });
  const scene = {
    window,
    free: await make("人人有份", "weekend", BIG_POOL, free),
    paused: await make("时停时续", "weekend", BIG_POOL, free),
    earned: await make("存款", "weekend", BIG_POOL, { code: "1,2,2", value: "10", times: 1 }),
    granted: await make("名单", TAG, "小池", { code: "3", value: "0", times: 1 }),
    pool_name: BIG_POOL,
    priced: numberAt(
      (await operator.prizes(BIG_POOL)).find(
        (prize) => dig(prize, "award_name") === PRICED.award_name,
      ),
      "id",
    ),
  };
  await makePlayers(stage);
  await grant(stage);
  return scene;
}
