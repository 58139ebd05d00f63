/** What an import does to the prizes of a pool (behaviour §5, §12). */
import type { PoolPreview, Prize } from "@red/contract/prize";
import { figuresAfter, figuresOf } from "#dialogs/pool-math.ts";

interface Side {
  /** Share 0 … 1 of all draws while nothing has run out. */
  readonly odds: number;
  readonly award_total: number;
  readonly weight: number;
  /** Decimal text. */
  readonly award_price: string;
}

export interface PrizeChange {
  readonly award_name: string;
  /** Null for a prize that is not there yet. */
  readonly before: Side | null;
  readonly after: Side;
}

/**
 * The prizes that are added or changed by an import, and those whose odds it changes by that: `now`
 * are all that the pool has, `then` all that it would have.
 */
export function prizeChanges(
  now: readonly Prize[],
  then: PoolPreview["prizes"],
): readonly PrizeChange[] {
  const { odds: oddsNow } = figuresOf(now);
  const { odds: oddsThen } = figuresAfter(then);
  const sides = new Map(
    now.map((prize): [string, Side] => [
      prize.award_name,
      { ...prize, odds: oddsNow.get(prize.id)?.configured ?? 0 },
    ]),
  );
  return then.flatMap((prize, at) => {
    const before = sides.get(prize.award_name) ?? null;
    const after = { ...prize, odds: oddsThen.get(at)?.configured ?? 0 };
    const isSame = prize.change === "unchanged" && before?.odds === after.odds;
    return isSame ? [] : [{ award_name: prize.award_name, before, after }];
  });
}
