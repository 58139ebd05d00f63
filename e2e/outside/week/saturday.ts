/** Saturday: three rounds of the weekend group, and an extra draw for five hundred players. */
import { claimEqual } from "../claims.ts";
import { shown } from "../context.ts";
import type { Round } from "../context.ts";
import { outcome, tally } from "../draws.ts";
import { dig, listAt } from "../json.ts";
import { askFor } from "../platform.ts";
import { drawAll, feedPlayers, openRound, settled, tieOut, playersOf } from "./books.ts";
import type { Player, Week } from "./books.ts";

const PLAYERS = 500;
const RACING = 150;
export const TAG = "weekend";

/** Two rounds for extra times only, and one in which each player also has a draw. */
const ROUNDS = [
  { name: "周末第一场", code: "3", times: 1 },
  { name: "周末第二场", code: "3", times: 1 },
  { name: "周末第三场", code: "0", times: 1 },
] as const;

/** Grants from a list with unknown accounts and a repeated one. */
async function grant(week: Week, players: readonly Player[]): Promise<void> {
  const unknown = Array.from({ length: 10 }, (_, index) => `Nobody_${index}`);
  const names = players.map(({ user_name }) => user_name);
  const doubled = String(names[7]).toUpperCase();
  const user_names = [...names.slice(0, 250), ...unknown, ...names.slice(250), doubled];
  // After the end of every round, so that an earned chance is used first.
  const expire_time = shown(Date.now() + 48 * 3_600_000);
  const list = { user_names, tag: TAG, expire_time };
  const told = await week.operator.data("POST", "/gred/api/extratimes/grant", list);
  claimEqual(
    "a list of 500 known and 10 unknown accounts grants 500",
    dig(told, "granted"),
    PLAYERS,
  );
  claimEqual("and names the unknown ones", dig(told, "unknown"), unknown);
  claimEqual("and the one that is there twice", dig(told, "doubled"), [doubled]);
  await claimLeft(week, players, 1, 0, "has one extra time left");
}

/** Checks the first, the repeated and the last player on the extra-times screen. */
async function claimLeft(
  { operator }: Week,
  players: readonly Player[],
  left: number,
  apply: number,
  what: string,
) {
  for (const player of [players[0], players[7], players[PLAYERS - 1]]) {
    const name = encodeURIComponent(String(player?.user_name));
    const total = await operator.leftTimes(String(player?.user_name));
    const list = await operator.data(
      "GET",
      `/gred/api/extratimes/list?user_name=${name}&page=1&size=1000`,
      null,
    );
    const rows = listAt(list, "content").filter(
      (row) => dig(row, "user_name") === player?.user_name,
    );
    const seen = [total, ...rows.map((row) => [dig(row, "tag"), dig(row, "apply")])];
    claimEqual(`${player?.user_name} ${what}`, seen, [left, [TAG, apply]]);
  }
}

async function compareUse(
  week: Week,
  rounds: readonly Round[],
  players: readonly Player[],
): Promise<void> {
  const books = await Promise.all(rounds.map(({ id }) => week.operator.book(id)));
  const rows = books.flatMap((book) => book.rows);
  const extra = rows.filter((row) => dig(row, "extra_time_id") !== null);
  const ids = new Set(extra.map((row) => dig(row, "extra_time_id")));
  claimEqual(
    "500 records used an extra time, each its own",
    [extra.length, ids.size],
    [PLAYERS, PLAYERS],
  );
  const each = (times: number) =>
    Object.fromEntries(players.map(({ player_id }) => [player_id, times]));
  const owners = tally(extra.map((row) => dig(row, "player_id")));
  claimEqual("each player used one across the three rounds", owners, each(1));
  claimEqual(
    "and has one record more from the open round",
    tally(rows.map((row) => dig(row, "player_id"))),
    each(2),
  );
}

export async function grantWeekend(week: Week): Promise<void> {
  const rounds: Round[] = [];
  for (const { name, code, times } of ROUNDS) {
    const preset = { name, code, value: "0", times };
    rounds.push(await openRound(week, { name, tag: TAG, pool_name: "周末池", preset }));
  }
  const players = playersOf("sat", PLAYERS);
  await feedPlayers(week, players);
  await grant(week, players);
  const [first, second, open] = rounds.map(({ id }) => id);
  const everywhere = [first, open, second, open].map(Number);
  const ask = ({ player_id }: Player) => everywhere.map((id) => askFor(id, player_id));
  // Some draw everywhere at once, the others round by round; the first request gets the extra time.
  const racing = players.slice(0, RACING).flatMap(ask);
  const strolling = everywhere.flatMap((id) =>
    players.slice(RACING).map(({ player_id }) => askFor(id, player_id)),
  );
  const asks = [...racing, ...strolling];
  const answers = await drawAll(week, asks);
  claimEqual(
    "of four draws that everybody tries, one earned and one extra are made",
    tally(answers.map(outcome)),
    {
      "201": 2 * PLAYERS,
      "409 no_chance_left": 2 * PLAYERS,
    },
  );
  await compareUse(week, rounds, players);
  await claimLeft(week, players, 0, 1, "has used it");
  await settled(week);
  for (const round of rounds) {
    await tieOut(week, round);
  }
}
