/** Friday: a player is blocked, and payouts to a closed account fail. */
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../claims.ts";
import type { Round } from "../context.ts";
import { outcome } from "../draws.ts";
import { dig, numberAt, textAt } from "../json.ts";
import { askFor } from "../platform.ts";
import {
  draw,
  drawAll,
  feedPlayers,
  openRound,
  readUntil,
  settled,
  tieOut,
  playersOf,
} from "./books.ts";
import type { Player, Week } from "./books.ts";

async function recordOf(week: Week, round: Round, trans_sn: string): Promise<unknown> {
  const { rows } = await week.operator.book(round.id);
  return rows.find((row) => dig(row, "trans_sn") === trans_sn);
}

/** The record after `times` refusals; after a timeout in whatever state. */
async function recordRefused(week: Week, round: Round, trans_sn: string, times: number) {
  return await readUntil(
    () => recordOf(week, round, trans_sn),
    (row) => dig(row, "award_status") === 2 && numberAt(row, "attempts") >= times,
  );
}

const statusOf = (record: unknown) => [dig(record, "award_status"), dig(record, "payout_state")];

async function block(week: Week, round: Round, player: Player): Promise<void> {
  const { operator, wallet } = week;
  wallet.hold();
  const asks = [1, 2].map(() => askFor(round.id, player.player_id));
  const won = (await drawAll(week, asks)).map(({ body }) => textAt(body, "trans_sn"));
  await feedPlayers(week, [{ ...player, blocked: true }]);
  const refused = await draw(week, askFor(round.id, player.player_id));
  claimEqual("a blocked player draws no more", outcome(refused), "403 player_blocked");
  const head = `/gred/api/player/head?user_name=${player.user_name}`;
  const told = dig(await operator.data("GET", head, null), "blocked");
  claimEqual("and support is told so", told, true);
  const pending = await Promise.all(won.map((trans_sn) => recordOf(week, round, trans_sn)));
  const statuses = pending.map((record) => dig(record, "award_status"));
  claimEqual("the payouts drawn before are pending", statuses, [0, 0]);
  wallet.open();
  await settled(week);
  // Of two payouts in a row the wallet refuses at most one.
  const paid = won.filter(
    (trans_sn) => wallet.credits.get(trans_sn)?.player_id === player.player_id,
  );
  claim("and go on to the blocked player", paid.length > 0, won);
  const ended = await Promise.all(paid.map((trans_sn) => recordOf(week, round, trans_sn)));
  const states = new Set(ended.map((record) => statusOf(record).join(" ")));
  claimEqual("and are known as paid", [...states], ["1 paid"]);
  await feedPlayers(week, [{ ...player, blocked: false }]);
  const again = await draw(week, askFor(round.id, player.player_id));
  claimEqual("no longer blocked, the player draws again", outcome(again), "201");
}

async function closeAccount(week: Week, round: Round, player: Player): Promise<void> {
  const { operator, wallet } = week;
  wallet.closed.add(player.player_id);
  const won = await draw(week, askFor(round.id, player.player_id));
  const trans_sn = textAt(won.body, "trans_sn");
  const refused = await recordRefused(week, round, trans_sn, 1);
  claimEqual("a closed account's payout is refused", statusOf(refused), [2, "refused"]);
  claimEqual("with the wallet's reason", dig(refused, "fail_reason"), "账户已销户");
  const log_ids = [numberAt(refused, "log_id")];
  await operator.data("POST", "/gred/api/record/reissue", { log_ids });
  const still = await recordRefused(week, round, trans_sn, numberAt(refused, "attempts") + 1);
  claimEqual("sent again it is refused again", statusOf(still), [2, "refused"]);

  const bare = await operator.call("PUT", "/gred/api/record/close", { log_ids, reason: "" });
  claimEqual("without a reason nothing is closed", bare.code, 400);
  const reason = "账户已销户，不再补发";
  await operator.data("PUT", "/gred/api/record/close", { log_ids, reason });
  const kept = await recordOf(week, round, trans_sn);
  claimEqual("status 2 stays, the state is closed", statusOf(kept), [2, "closed"]);
  claimEqual(
    "both reasons are kept",
    [dig(kept, "fail_reason"), dig(kept, "note")],
    ["账户已销户", reason],
  );

  wallet.closed.delete(player.player_id);
  const answer = await operator.call("POST", "/gred/api/record/reissue", { log_ids });
  const outcome = [
    answer.code,
    dig(answer.data, "reissued"),
    dig(answer.data, "refused", 0, "log_id"),
  ];
  claimEqual("a closed payout is not re-issued", outcome, [409, 0, log_ids[0]]);
  const twice = await operator.call("PUT", "/gred/api/record/close", { log_ids, reason });
  claimEqual("nor closed twice", [twice.code, dig(twice.data, "closed")], [409, 0]);
  await sleep(1_000);
  claim("and never paid", !wallet.credits.has(trans_sn));
}

export async function blockAndClose(week: Week): Promise<void> {
  const preset = { name: "不限", code: "0", value: "0", times: 5 };
  const wish = { name: "周五场", tag: "dragon", pool_name: "周中池", preset };
  const round = await openRound(week, wish);
  const [blocked, closed] = playersOf("fri", 2);
  if (blocked === undefined || closed === undefined) {
    throw new Error("two players are needed");
  }
  await feedPlayers(week, [blocked, closed]);
  await block(week, round, blocked);
  await closeAccount(week, round, closed);
  await settled(week);
  const { closed: total } = await tieOut(week, round);
  claimEqual("the round has one closed payout", total.count, 1);
}
