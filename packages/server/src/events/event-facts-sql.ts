/** Computes facts about the deposits or bets that earn draws (behaviour §4). */
import type { EventKind } from "@red/contract/events/event";
import type { EarningFacts } from "@red/engine/chances";
import type { Db } from "#platform/db/connection";
import { selectEventSums } from "./event-chunk-sql.ts";
import type { EventSpan, RowSums } from "./event-chunk-sql.ts";

export interface EarningWindow {
  readonly start: Date;
  /** To the second. The last second belongs to the window. */
  readonly end: Date;
  /** The condition value in cents, above 0. */
  readonly value_cents: number;
  /** For bets: only bets on these platforms count. An empty list means all platforms. */
  readonly platforms: readonly number[];
  /** Maximum for totals: a larger total is reduced to it. */
  readonly limit: number;
}

/** Returns the window from its start to the end of its last second. */
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
 * Returns the facts of the players by `player_key`, from one snapshot, without unknown players. A row counts if it is
 * in the window (including its last second) and is neither reversed nor void (behaviour §4).
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
