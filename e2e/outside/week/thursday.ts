/** Thursday: the wallet is down for half a minute. */
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../claims.ts";
import { shown } from "../context.ts";
import type { Round } from "../context.ts";
import { outcome, tally } from "../draws.ts";
import { dig, numberAt, textAt } from "../json.ts";
import { sumOf } from "../money.ts";
import {
  asksOf,
  drawAll,
  feedPlayers,
  openRound,
  readUntil,
  settled,
  tieOut,
  playersOf,
} from "./books.ts";
import type { Player, Week } from "./books.ts";

/** The port refuses for this time, then answers 500 for the same time. */
const HALF_MS = 15_000;
const PLAYERS = 40;

/** Trouble of the wallet: since when (local `HH:mm:ss`), and what waits; null: none. */
async function readTrouble({ operator }: Week) {
  const health = await operator.data("GET", "/gred/api/wallet/health", null);
  return dig(health, "trouble") === null
    ? null
    : {
        since: textAt(health, "trouble", "since").slice(-8),
        count: numberAt(health, "waiting", "count"),
        amount: textAt(health, "waiting", "amount"),
      };
}

/** Every player draws twice while the wallet is down; claims the records' state. Answers since when it is down. */
async function drawWhileDown(week: Week, round: Round, players: readonly Player[], how: string) {
  const from = Date.now();
  const credits = week.wallet.credits.size;
  const asks = asksOf(round, players, 2);
  const answers = await drawAll(week, asks);
  claimEqual(`draws go on while the wallet ${how}`, tally(answers.map(outcome)), {
    "201": asks.length,
  });
  await sleep(Math.max(0, from + HALF_MS - Date.now()));
  const { rows } = await week.operator.book(round.id);
  const statuses = tally(rows.map((row) => dig(row, "award_status")));
  claimEqual(`while it ${how}, every record stays in status 0`, statuses, { "0": rows.length });
  claimEqual(`while it ${how}, nothing is paid`, week.wallet.credits.size, credits);
  const { pending, unknown } = await tieOut(week, round);
  claimEqual(
    `while it ${how}, all is pending or unknown`,
    pending.count + unknown.count,
    rows.length,
  );
  // What was unclear when the totals were read stays unclear: nothing is paid.
  const seen = await readUntil(
    () => readTrouble(week),
    (trouble) => trouble?.count === rows.length,
  );
  const amount = sumOf([pending.amount, unknown.amount]);
  const waiting = { count: rows.length, amount };
  claimEqual(`while it ${how}, the operator is told how many wait, and how much`, seen, {
    ...waiting,
    since: seen?.since,
  });
  return seen?.since ?? "";
}

export async function outliveOutage(week: Week): Promise<void> {
  const { operator, wallet } = week;
  const preset = { name: "不限", code: "0", value: "0", times: 4 };
  const wish = { name: "停机之夜", tag: "dragon", pool_name: "周中池", preset };
  const round = await openRound(week, wish);
  const players = playersOf("thu", PLAYERS);
  await feedPlayers(week, players);
  await settled(week);

  claimEqual("nothing is said of a wallet that is well", await readTrouble(week), null);
  // A lost answer to the last payment before is the first of those in a row.
  const last = [...wallet.credits.values()].at(-1);
  const isLost = last !== undefined && wallet.lost.has(last.trans_sn);
  const from = isLost ? Date.parse(last.paid_at) - 5_000 : Date.now();
  const until = Date.now() + HALF_MS;
  wallet.stop();
  const since = await drawWhileDown(week, round, players, "refuses connections");
  // Both ends are shown as whole seconds.
  const seconds = Math.floor(until / 1000) - Math.floor(from / 1000) + 1;
  const times = Array.from({ length: seconds }, (_, second) => shown(from + second * 1000));
  claim(
    "and since when: since the first draws",
    times.some((one) => one.endsWith(since)),
    since,
  );
  await wallet.breakDown();
  const still = await drawWhileDown(week, round, players, "answers 500");
  claimEqual("and since then all the time", still, since);
  claim("it was tried meanwhile", wallet.broken() > 0);
  wallet.open();
  const after = await readUntil(
    () => readTrouble(week),
    (trouble) => trouble === null,
  );
  claimEqual("once it is well, nothing is said any more", after, null);

  await settled(week);
  const refused = (await operator.records(round.id)).filter((row) => row.award_status === 2);
  if (refused.length > 0) {
    // The wallet refuses some at first; they are sent again.
    const log_ids = refused.map(({ log_id }) => log_id);
    await operator.data("POST", "/gred/api/record/reissue", { log_ids });
    await settled(week);
  }
  const { rows } = await operator.book(round.id);
  const states = tally(
    rows.map((row) => `${String(dig(row, "award_status"))} ${String(dig(row, "payout_state"))}`),
  );
  claimEqual("afterwards everything is paid", states, { "1 paid": PLAYERS * 4 });
  const { paid } = await tieOut(week, round);
  const drawn = sumOf(week.heard.get(round.id)?.values() ?? []);
  claimEqual("once: the sums are equal", paid, { count: PLAYERS * 4, amount: drawn });
  claimEqual("the wallet was called as agreed", wallet.faults.slice(0, 5), []);
}
