/** Sunday: everything is stopped and started again, and physical prizes are marked as delivered. */
import { claim, claimEqual } from "../claims.ts";
import type { Round } from "../context.ts";
import { outcome, tally } from "../draws.ts";
import { dig, numberAt, textAt } from "../json.ts";
import { askFor, inFlight } from "../platform.ts";
import {
  asksOf,
  draw,
  drawAll,
  feedPlayers,
  openRound,
  settled,
  tieOut,
  playersOf,
} from "./books.ts";
import type { Player, Week } from "./books.ts";
import { lastWeekIsUnchanged } from "./monday.ts";
import { TAG } from "./saturday.ts";

/** Enough for the draws to last until the stop. */
const PLAYERS = 400;
const TIMES = 5;
const LANES = 16;
const STOP_AFTER = 40;

/** Lanes draw until they are refused; everything is stopped meanwhile. */
async function drawIntoTheStop(week: Week, round: Round, players: readonly Player[]) {
  const asks = asksOf(round, players, TIMES).values();
  const atStop = { records: -1, late: 0 };
  let heard = 0;
  let stopping: Promise<void> | null = null;
  async function stopNow(): Promise<void> {
    await week.operator.data("PUT", "/gred/api/stop/everything", {});
    atStop.records = (await week.operator.book(round.id)).total;
  }
  const lanes = await inFlight(Array.from({ length: LANES }), LANES, async () => {
    for (const ask of asks) {
      const isLate = atStop.records >= 0;
      const answer = await draw(week, ask);
      heard += 1;
      atStop.late += isLate && answer.status === 201 ? 1 : 0;
      if (answer.status !== 201) {
        return { refused: ask, answer };
      }
      if (heard >= STOP_AFTER) {
        // One lane waits for the stop; the others continue.
        await (stopping === null ? (stopping = stopNow()) : null);
      }
    }
    return null;
  });
  await (stopping ?? stopNow());
  return { lanes: lanes.filter((lane) => lane !== null), atStop };
}

/** Stops everything in the middle of draws, and starts it again with a code. */
async function stopAndStart(week: Week, round: Round): Promise<void> {
  const { authenticator, operator, wallet } = week;
  const players = playersOf("sun", PLAYERS);
  await feedPlayers(week, players);
  const { lanes, atStop } = await drawIntoTheStop(week, round, players);
  const kinds = tally(lanes.map(({ answer }) => outcome(answer)));
  claimEqual("a stop in the middle of draws refuses what comes after it", kinds, {
    "409 draws_stopped": LANES,
  });
  const { total } = await operator.book(round.id);
  claimEqual(
    "no draw is made after the stop was answered",
    [total, atStop.late],
    [atStop.records, 0],
  );
  claimEqual("draws and payouts are stopped", await operator.stops(), ["draws", "payouts"]);
  const refusedDraws = await drawAll(
    week,
    week.rounds.map(({ id }) => askFor(id, "w-sun0")),
  );
  const codes = new Set(refusedDraws.map(({ code }) => code));
  claim("nothing is drawn anywhere", !codes.has(null), [...codes]);

  const paid = wallet.credits.size;
  const path = "/gred/api/stop/everything/start";
  const wrong = await operator.call("PUT", path, null, authenticator.wrong());
  claimEqual(
    "a wrong code starts nothing",
    [wrong.msg, await operator.stops()],
    ["动态验证码错误", ["draws", "payouts"]],
  );
  await operator.data("PUT", path, null, await authenticator.code());
  claimEqual("the right one everything", await operator.stops(), []);
  const drawsAfter = await drawAll(
    week,
    lanes.map(({ refused }) => refused),
  );
  claimEqual("and the draws that were refused are made", tally(drawsAfter.map(outcome)), {
    "201": LANES,
  });
  await settled(week);
  claim("and payouts go on", wallet.credits.size > paid, paid);
}

/** Delivers the prizes of the weekend's last round; the others keep waiting. */
async function deliver(week: Week): Promise<void> {
  const { operator } = week;
  const rounds = week.rounds.filter(({ tag }) => tag === TAG);
  const rowsOf = async () =>
    (await Promise.all(rounds.map(({ id }) => operator.book(id)))).flatMap(({ rows }) => rows);
  const last = rounds.at(-1);
  const waiting = (await rowsOf()).filter(
    (row) => textAt(row, "payout_state") === "waiting_delivery",
  );
  const owed = waiting.filter((row) => dig(row, "rounds_id") === last?.id);
  if (last === undefined || owed.length === 0) {
    throw new Error("there is nothing to deliver");
  }
  const ids = owed.map((row) => numberAt(row, "log_id"));
  const delivery = { log_ids: ids, note: "顺丰" };
  const told = await operator.data("PUT", "/gred/api/record/deliver", delivery);
  claimEqual("physical prizes are marked as delivered", dig(told, "delivered"), owed.length);
  const rows = await rowsOf();
  const states = rows
    .filter((row) => ids.includes(numberAt(row, "log_id")))
    .map((row) =>
      [dig(row, "award_status"), dig(row, "payout_state"), dig(row, "note")].map(String).join(" "),
    );
  claimEqual("they are a success, with the note", tally(states), {
    "1 delivered 顺丰": owed.length,
  });
  const still = rows.filter((row) => textAt(row, "payout_state") === "waiting_delivery");
  claimEqual("the others wait", still.length, waiting.length - owed.length);
  const money = rows.find((row) => textAt(row, "award_price") !== "0.00");
  const refused = await operator.call("PUT", "/gred/api/record/deliver", {
    log_ids: [...ids, numberAt(money, "log_id")],
    note: "again",
  });
  claimEqual(
    "nothing is delivered twice, and money is not",
    [refused.code, dig(refused.data, "delivered")],
    [409, 0],
  );
}

export async function stopAndDeliver(week: Week): Promise<void> {
  const preset = { name: "不限", code: "0", value: "0", times: TIMES };
  const wish = { name: "周日场", tag: "dragon", pool_name: "周中池", preset };
  const round = await openRound(week, wish);
  await stopAndStart(week, round);
  await deliver(week);
  await tieOut(week, round);
  await lastWeekIsUnchanged(week, "at the end of the week");
}
