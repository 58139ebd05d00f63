import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Stop } from "@red/contract/stops/stop-switch";
import { useStartText } from "./start-button.tsx";
import type { StopTarget } from "./stops.ts";

function stopOf(name: Stop["name"], pool_id: number | null = null): Stop {
  const pool_name = pool_id === null ? null : `池${pool_id}`;
  const rest = { stopped_at: "2026-11-20 20:00:00", stopped_by: "op", reason: null };
  return { name, pool_id, pool_name, ...rest };
}

const DRAWS = stopOf("draws");
const PAYOUTS = stopOf("payouts");
const POOL = stopOf("pool", 1);
const OTHER = stopOf("pool", 2);
const OF_POOL: StopTarget = { name: "pool", id: 1, pool_name: "池1" };

function textOf(target: StopTarget, ...stops: readonly Stop[]): string {
  const { result } = renderHook(() => useStartText());
  return result.current(target, stops).join("");
}

const ALL = "恢复后，进行中且未暂停的活动可以立即抽奖。";
const BUT_POOLS = "恢复后，进行中且未暂停的活动可以立即抽奖，使用仍停抽的奖池的除外。";
const PAID = "队列中的发放在恢复后立即继续。";
const FROM_POOL = "恢复后，使用奖池「池1」、进行中且未暂停的活动可以立即抽奖。";
const POOL_WAITS = "恢复后，使用奖池「池1」的活动仍不能抽奖，要等全部抽奖恢复。";

it.each<[string, StopTarget, readonly Stop[], string]>([
  ["draws alone", { name: "draws" }, [DRAWS], ALL],
  [
    "draws, two pools stay stopped",
    { name: "draws" },
    [DRAWS, POOL, OTHER],
    `${BUT_POOLS}仍然暂停：奖池「池1」的抽奖、奖池「池2」的抽奖。`,
  ],
  [
    "draws, payouts stay stopped",
    { name: "draws" },
    [DRAWS, PAYOUTS],
    `${ALL}仍然暂停：全部发放。`,
  ],
  [
    "everything but a pool",
    { name: "everything" },
    [DRAWS, PAYOUTS, POOL],
    `${BUT_POOLS}${PAID}仍然暂停：奖池「池1」的抽奖。`,
  ],
  ["payouts alone", { name: "payouts" }, [PAYOUTS], PAID],
  [
    "payouts, draws stay stopped",
    { name: "payouts" },
    [DRAWS, PAYOUTS],
    `${PAID}仍然暂停：全部抽奖。`,
  ],
  ["a pool, another stays", OF_POOL, [POOL, OTHER], `${FROM_POOL}仍然暂停：奖池「池2」的抽奖。`],
  [
    "a pool while everything is stopped",
    OF_POOL,
    [DRAWS, PAYOUTS, POOL],
    `${POOL_WAITS}仍然暂停：全部抽奖、全部发放。`,
  ],
])("says what starting gives: %s", (_name, target, stops, text) => {
  expect(textOf(target, ...stops)).toBe(text);
});
