/** Thursday: the wallet is down for a while; here it is a minute. */
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../outside/claims.ts";
import type { Round } from "../outside/context.ts";
import { outcome, tally } from "../outside/draws.ts";
import { dig } from "../outside/json.ts";
import { sumOf } from "../outside/money.ts";
import { settled } from "../outside/payouts.ts";
import { askFor } from "../outside/platform.ts";
import { makeRound } from "../outside/setup.ts";
import { bookOf, drawAll, feedPlayers, playersOf, tieOut } from "./books.ts";
import type { Player, Week } from "./books.ts";

/** The port refuses for so long, and then answers 500 for as long again. */
const HALF_MS = 30_000;
const PLAYERS = 40;

/** Every player draws twice while the wallet is down; claims what the records say meanwhile. */
async function drawWhileDown(week: Week, round: Round, players: readonly Player[], how: string) {
  const from = Date.now();
  const credits = week.wallet.credits.size;
  const asks = [...players, ...players].map(({ player_id }) => askFor(round.id, player_id));
  const answers = await drawAll(week, asks);
  claimEqual(`draws go on while the wallet ${how}`, tally(answers.map(outcome)), {
    "201": asks.length,
  });
  await sleep(Math.max(0, from + HALF_MS - Date.now()));
  const { rows } = await bookOf(week.operator, round.id);
  const statuses = tally(rows.map((row) => dig(row, "award_status")));
  claimEqual(`while it ${how}, every record stays in status 0`, statuses, { "0": rows.length });
  claimEqual(`while it ${how}, nothing is paid`, week.wallet.credits.size, credits);
  const { pending, unknown } = await tieOut(week, round);
  claimEqual(
    `while it ${how}, all is pending or unknown`,
    pending.count + unknown.count,
    rows.length,
  );
}

export async function outliveOutage(week: Week): Promise<void> {
  const { operator, wallet, gate } = week;
  const preset = { name: "不限", code: "0", value: "0", times: 4 };
  const wish = { name: "停机之夜", tag: "dragon", pool_name: "周中池", preset };
  const round = await makeRound(operator, week.window, wish);
  week.rounds.push(round);
  const players = playersOf("thu", PLAYERS);
  await feedPlayers(week, players);
  await settled(week);

  gate.shut();
  await drawWhileDown(week, round, players, "refuses connections");
  await gate.breakDown();
  await drawWhileDown(week, round, players, "answers 500");
  claim("it was tried meanwhile", gate.broken() > 0);
  gate.open();

  await settled(week);
  const refused = (await operator.records(round.id)).filter((row) => row.award_status === 2);
  if (refused.length > 0) {
    // The wallet refuses some at first; they are sent again.
    await operator.data("POST", "/gred/api/record/reissue", {
      log_ids: refused.map((row) => row.log_id),
    });
    await settled(week);
  }
  const { rows } = await bookOf(operator, round.id);
  const states = tally(
    rows.map((row) => `${String(dig(row, "award_status"))} ${String(dig(row, "payout_state"))}`),
  );
  claimEqual("afterwards everything is paid", states, { "1 paid": PLAYERS * 4 });
  const { paid } = await tieOut(week, round);
  const told = sumOf(week.heard.get(round.id)?.values() ?? []);
  claimEqual("once: the sums are equal", paid, { count: PLAYERS * 4, amount: told });
  claimEqual("the wallet was called as agreed", wallet.faults.slice(0, 5), []);
}
