/** Facts of the deposits or bets that earn draws (behaviour §4). */
import type { EventKind } from "@red/contract/events/event";
import type { EarningFacts } from "@red/engine/chances";
import type { Db } from "#platform/db/connection";
import { selectEventSums } from "./event-chunk-sql.ts";
import type { EventSpan, RowSums } from "./event-chunk-sql.ts";

/** Which rows earn draws, and how to compute their facts. */
export interface EarningWindow {
  readonly start: Date;
  /** To the second; that second is included. */
  readonly end: Date;
  /** The condition value, above 0. */
  readonly value_cents: number;
  /** Bets on these count; empty: on all. */
  readonly platforms: readonly number[];
  /** Sums are capped here. */
  readonly limit: number;
}

/** The window from its start to the end of its last second. */
export function spanOf({ start, end }: Pick<EarningWindow, "start" | "end">) {
  return { from: start, to: new Date(end.getTime() + 1_000) } satisfies EventSpan;
}

export function factsOfSums(
  { live_cents, max_cents, fulls }: RowSums,
  limit: number,
): EarningFacts {
  return {
    sum_cents: Math.min(Number(live_cents), limit),
    max_cents,
    fulls: Math.min(Number(fulls), limit),
  };
}

/**
 * Facts of the players' deposits or bets that count: in the window, its last second included, neither reversed nor void
 * (behaviour §4). By `player_key`, of one snapshot; without unknown players.
 */
export async function selectEventFacts(
  db: Db,
  kind: EventKind,
  window: EarningWindow,
  player_keys: readonly number[],
): Promise<Map<number, EarningFacts>> {
  const { value_cents, platforms, limit } = window;
  const sums = await selectEventSums(db, kind, value_cents, spanOf(window), player_keys, platforms);
  return new Map(sums.map((one) => [one.player_key, factsOfSums(one, limit)]));
}
