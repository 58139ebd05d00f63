/** Chances as the reader of chances must answer them. */
import { ceilingOf, chancesOf, earnedDraws, nextChance } from "@red/engine/chances";
import { selectChanceUse, selectDrawnToday, selectEarningFacts } from "#players/chance-sql";
import type { ChanceRound, PlayerChances } from "#players/chance-sql";
import type { Db } from "#platform/connection";
import { ZONE } from "#test/activity-factory";

/** A player's chances in a round by plain reads, without the reader's memory. */
export async function selectChances(
  db: Db,
  round: ChanceRound,
  player_key: number,
): Promise<PlayerChances> {
  // Used chances are read first, so that a draw made in between cannot count without its chance.
  const uses = await selectChanceUse(db, round.id, round.tag, [player_key]);
  const known = await selectEarningFacts(db, round, [player_key]);
  const use = uses.get(player_key);
  const facts = known.get(player_key)?.facts;
  if (use === undefined || facts === undefined) {
    throw new RangeError(`no such player: ${player_key}`);
  }
  const { already } = use;
  const drawn_today = await selectDrawnToday(db, round, player_key, ZONE);
  const ceiling = ceilingOf(round, { already, drawn_today });
  const counts = {
    earned: earnedDraws(round, facts),
    already,
    extra_unused: use.extras.length,
    extra_used_here: use.extra_used_here,
  };
  const chances = chancesOf(counts, ceiling);
  return {
    ...chances,
    next: round.is_window_over ? null : nextChance(round, facts, chances, ceiling),
  };
}
