/** Wednesday: the platform reverses deposits. */
import { claimEqual } from "../claims.ts";
import type { Round } from "../context.ts";
import { outcome, tally } from "../draws.ts";
import { dig, listAt } from "../json.ts";
import { inFlight } from "../platform.ts";
import {
  asksOf,
  drawAll,
  feed,
  feedPlayers,
  openRound,
  settled,
  tieOut,
  playersOf,
} from "./books.ts";
import type { Player, Week } from "./books.ts";

const PLAYERS = 10;

/** One deposit per player, in the middle of the window. */
function depositsOf({ window }: Week, players: readonly Player[], name: string, amount: string) {
  const created_at = new Date((window.from + window.until) / 2).toISOString();
  return players.map((player) => ({
    order_no: `${name}-${player.player_id}`,
    ...player,
    amount,
    channel: 1,
    client: 1,
    created_at,
  }));
}

async function lottimes(week: Week, players: readonly Player[], rounds_id: number) {
  const seen = await inFlight(players, 8, ({ user_name }) =>
    week.operator.lottimes({ rounds_id, user_name }),
  );
  return tally(seen.map(({ total, already, remain }) => `${total} ${already} ${remain}`));
}

/** A player asks support why there is no third draw. */
async function askWhy(week: Week, [asker]: readonly Player[], round: Round): Promise<void> {
  if (asker === undefined) {
    throw new Error("nobody asks");
  }
  const { user_name, player_id } = asker;
  const filter = { user_name, rounds_id: round.id, page: 1, size: 20 };
  const list = await week.operator.data("POST", "/gred/api/userInfo/deposit", filter);
  const rows = listAt(list, "content").map((row) => [
    dig(row, "order_no"),
    dig(row, "amount"),
    dig(row, "reversed"),
  ]);
  claimEqual("the list says which deposit was reversed", tally(rows), {
    [`large-${player_id},240.00,true`]: 1,
    [`small-${player_id},130.00,false`]: 1,
  });
  claimEqual(
    "and a total without it",
    [dig(list, "total"), dig(list, "depositTotal")],
    [2, "130.00"],
  );
  const asked = { user_name, rounds_id: round.id };
  const told = await week.operator.data("POST", "/gred/api/player/explain", asked);
  claimEqual(
    "support sees that the chances fell",
    [dig(told, "total"), dig(told, "already"), dig(told, "remain")],
    [1, 2, 0],
  );
  const verdicts = listAt(told, "rows").map((row) =>
    [dig(row, "no"), dig(row, "verdict"), dig(row, "cancel_reason") ?? ""].map(String).join(" "),
  );
  claimEqual("and why", tally(verdicts), {
    [`large-${player_id} cancelled chargeback`]: 1,
    [`small-${player_id} counted `]: 1,
  });
}

export async function reverseDeposits(week: Week): Promise<void> {
  const preset = { name: "每满120", code: "1,2,2", value: "120", times: 1 };
  const wish = { name: "充值抽奖", tag: "dragon", pool_name: "周中池", preset };
  const round = await openRound(week, wish);
  const players = playersOf("wed", PLAYERS);
  await feedPlayers(week, players);
  const large = depositsOf(week, players, "large", "240.00");
  const small = depositsOf(week, players, "small", "130.00");
  await feed(week, "/open/v1/deposits", { deposits: [...large, ...small] });
  const every = (text: string) => ({ [text]: PLAYERS });
  claimEqual("370.00 earn three draws", await lottimes(week, players, round.id), every("3 0 3"));
  const drawn = await drawAll(week, asksOf(round, players, 2));
  claimEqual("two of them are drawn", tally(drawn.map(outcome)), { "201": 2 * PLAYERS });
  const before = (await week.operator.book(round.id)).rows.map((row) => dig(row, "trans_sn"));

  const reversals = large.map(({ order_no, created_at }) => ({
    order_no,
    created_at,
    reason: "chargeback",
  }));
  const reversed = await feed(week, "/open/v1/deposits/reversals", { reversals });
  claimEqual(
    "the platform reverses the larger deposit of each",
    dig(reversed, "accepted"),
    PLAYERS,
  );
  claimEqual(
    "the chances fall, and not below what was drawn",
    await lottimes(week, players, round.id),
    every("1 2 0"),
  );
  const refused = await drawAll(week, asksOf(round, players));
  claimEqual("nobody draws the third", tally(refused.map(outcome)), {
    "409 no_chance_left": PLAYERS,
  });
  const after = (await week.operator.book(round.id)).rows.map((row) => dig(row, "trans_sn"));
  claimEqual("what was drawn stays", after, before);

  await askWhy(week, players, round);

  await feed(week, "/open/v1/deposits", { deposits: depositsOf(week, players, "again", "240.00") });
  claimEqual(
    "a new deposit earns the third",
    await lottimes(week, players, round.id),
    every("3 2 1"),
  );
  const third = await drawAll(week, asksOf(round, players));
  claimEqual("which is drawn", tally(third.map(outcome)), { "201": PLAYERS });
  await settled(week);
  await tieOut(week, round);
}
