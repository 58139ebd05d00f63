/** Sunday: every round is paused and resumed, and physical prizes are marked as delivered. */
import { claim, claimEqual } from "../outside/claims.ts";
import type { Round } from "../outside/context.ts";
import { outcome, tally } from "../outside/draws.ts";
import { dig, listAt, numberAt, textAt } from "../outside/json.ts";
import { settled } from "../outside/payouts.ts";
import { askFor, inFlight } from "../outside/platform.ts";
import { makeRound } from "../outside/setup.ts";
import { bookOf, draw, drawAll, feedPlayers, playersOf, tieOut } from "./books.ts";
import type { Week } from "./books.ts";

const PLAYERS = 60;

function sorted(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}

async function idsOf({ operator }: Week, rounds_status: 0 | 1): Promise<number[]> {
  const path = `/gred/api/act/list?page=1&size=9999&rounds_status=${rounds_status}`;
  const list = await operator.data("GET", path, null);
  return listAt(list, "content").map((row) => numberAt(row, "id"));
}

async function turn({ operator }: Week, id: number, rounds_status: 0 | 1): Promise<void> {
  await operator.data("PUT", `/gred/api/act/pause/${id}`, { id, rounds_status });
}

/** Draws go on in one of the rounds while all are paused: none is made after the pause was answered. */
async function pauseAll(week: Week, round: Round): Promise<void> {
  const players = playersOf("sun", PLAYERS);
  await feedPlayers(week, players);
  const asks = Array.from({ length: 5 }, () => players)
    .flat()
    .map(({ player_id }) => askFor(round.id, player_id));
  const all = await idsOf(week, 1);
  claimEqual(
    "every round of the week is active",
    sorted(all),
    sorted(week.rounds.map(({ id }) => id)),
  );
  const paused: { atPause: number; late: number } = { atPause: -1, late: 0 };
  let heard = 0;
  let pausing: Promise<void> | null = null;
  async function pause(): Promise<void> {
    await turn(week, round.id, 0);
    paused.atPause = (await bookOf(week.operator, round.id)).total;
  }
  const answers = await inFlight(asks, 16, async (ask) => {
    const isLate = paused.atPause >= 0;
    const answer = await draw(week, ask);
    heard += 1;
    paused.late += isLate && answer.status === 201 ? 1 : 0;
    if (heard === 40) {
      await (pausing ??= pause());
    }
    return answer;
  });
  const kinds = Object.keys(tally(answers.map(outcome))).sort();
  claimEqual("a pause in the middle of draws lets some through and refuses the rest", kinds, [
    "201",
    "409 round_not_active",
  ]);
  const { total } = await bookOf(week.operator, round.id);
  claimEqual(
    "no draw is made after the pause was answered",
    [total, paused.late],
    [paused.atPause, 0],
  );

  for (const id of all) {
    await turn(week, id, 0);
  }
  claimEqual(
    "one by one all are paused",
    [await idsOf(week, 1), (await idsOf(week, 0)).length],
    [[], all.length],
  );
  const tried = await drawAll(
    week,
    week.rounds.map(({ id }) => askFor(id, "w-sun0")),
  );
  claimEqual("nothing is drawn anywhere", tally(tried.map(outcome)), {
    "409 round_not_active": all.length,
  });
  for (const id of all) {
    await turn(week, id, 1);
  }
  claimEqual("one by one all are resumed", sorted(await idsOf(week, 1)), sorted(all));
  const again = await drawAll(
    week,
    asks.filter((_, index) => answers[index]?.status === 409),
  );
  claimEqual(
    "and the draws that were refused are made",
    new Set(again.map(outcome)),
    new Set(["201"]),
  );
}

/** Delivers what the weekend's last round owes, and half of what the others do. */
async function deliver(week: Week, rounds: readonly Round[]): Promise<void> {
  const { operator } = week;
  const books = await Promise.all(rounds.map(({ id }) => bookOf(operator, id)));
  const waiting = books
    .flatMap(({ rows }) => rows)
    .filter((row) => dig(row, "payout_state") === "waiting_delivery");
  const money = books
    .flatMap(({ rows }) => rows)
    .find((row) => textAt(row, "award_price") !== "0.00");
  claim("physical prizes wait", waiting.length > 3, waiting.length);
  const some = waiting
    .slice(0, Math.ceil(waiting.length / 2))
    .map((row) => numberAt(row, "log_id"));
  const log_ids = [...some, numberAt(money, "log_id")];
  const done = await operator.data("PUT", "/gred/api/record/deliver", { log_ids, note: "顺丰" });
  const refused = listAt(done, "refused").map((row) => dig(row, "log_id"));
  claimEqual(
    "physical prizes are marked as delivered, and money is not",
    [dig(done, "delivered"), refused],
    [some.length, [dig(money, "log_id")]],
  );
  const after = await Promise.all(rounds.map(({ id }) => bookOf(operator, id)));
  const rows = after
    .flatMap((book) => book.rows)
    .filter((row) => some.includes(numberAt(row, "log_id")));
  const states = rows.map((row) =>
    [dig(row, "award_status"), dig(row, "payout_state"), dig(row, "note")].map(String).join(" "),
  );
  claimEqual("they are a success, with the note", tally(states), {
    "1 delivered 顺丰": some.length,
  });
  const twice = await operator.call("PUT", "/gred/api/record/deliver", {
    log_ids: some,
    note: "again",
  });
  claimEqual("nothing is delivered twice", [twice.code, dig(twice.data, "delivered")], [409, 0]);
}

export async function pauseAndDeliver(week: Week, weekend: readonly Round[]): Promise<void> {
  const preset = { name: "不限", code: "0", value: "0", times: 5 };
  const wish = { name: "周日场", tag: "dragon", pool_name: "周中池", preset };
  const round = await makeRound(week.operator, week.window, wish);
  week.rounds.push(round);
  await pauseAll(week, round);
  await deliver(week, weekend);
  await settled(week);
  await tieOut(week, round);
}
