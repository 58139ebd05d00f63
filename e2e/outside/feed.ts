/** Part 3: a thousand deposits and a thousand bets, fed twice, and the chances they earn. */
import { earned } from "./expected-chances.ts";
import type { Preset, Row } from "./expected-chances.ts";
import { claim, claimEqual } from "./claims.ts";
import { shown } from "./context.ts";
import type { Round, Signed, Window } from "./context.ts";
import { dig, listAt, numberAt } from "./json.ts";
import { decimal } from "./money.ts";
import { inFlight } from "./platform.ts";
import { random } from "./random.ts";

const ROWS = 1_000;
export const PLAYERS = 60;

export function playerId(player: number): string {
  return `o-p${String(player).padStart(2, "0")}`;
}

function userName(player: number): string {
  return `Outside_${String(player).padStart(2, "0")}`;
}

const AROUND_VALUES: readonly (readonly string[])[] = [
  ["499.99"],
  ["500.00"],
  ["250.00", "249.99"],
  ["250.00", "250.00"],
  ["119.99"],
  ["120.00"],
  ["33.33", "33.33", "33.34", "20.00"],
  ["239.99"],
  ["240.00"],
  ["49.99", "49.99"],
  ["50.00", "49.99"],
  ["99.99"],
  ["100.00", "0.01"],
  ["149.99"],
  ["150.00"],
  ["0.10", "0.20", "119.69"],
  ["0.10", "0.20", "119.70"],
  ["199.99"],
  ["200.00"],
];

/** Instants at the edges of the window, inside and outside. */
function edges({ from, until }: Window): readonly number[] {
  return [from - 1_000, from - 1, from, from + 999, until - 1_000, until - 1, until, until + 999];
}

/** One row at each edge per player, the rest at random; ROWS in all. */
function makeRows(kind: string, window: Window, seed: number): Row[] {
  const rows: Row[] = [];
  const add = (player: number, amount: string, at: number) =>
    rows.push({ number: `${kind}-${rows.length}`, player, amount, at });
  const middle = window.from + 6 * 3_600_000;
  let player = 0;
  for (const amounts of AROUND_VALUES) {
    amounts.forEach((amount, index) => add(player, amount, middle + index));
    player += 1;
  }
  for (const at of edges(window)) {
    add(player, "500.00", at);
    player += 1;
  }
  const next = random(seed);
  while (rows.length < ROWS) {
    const cents =
      next() < 0.5
        ? BigInt(1 + Math.floor(next() * 6_000))
        : 2_500n * BigInt(1 + Math.floor(next() * 9));
    const span = window.until - window.from + 7_200_000;
    const at = window.from - 3_600_000 + Math.floor(next() * span);
    add(player + Math.floor(next() * (PLAYERS - player)), decimal(cents), at);
  }
  return rows;
}

function whole(row: Row) {
  const at = new Date(row.at);
  // Instants are written with both offsets.
  const business = `${shown(row.at).replace(" ", "T")}.${String(at.getUTCMilliseconds()).padStart(3, "0")}+08:00`;
  return {
    player_id: playerId(row.player),
    user_name: userName(row.player),
    created_at: row.player % 2 === 0 ? business : at.toISOString(),
  };
}

const PLATFORMS = [1234, 2234, 3234, 5234, 6234, 7234];

function depositOf(row: Row, index: number) {
  return {
    order_no: row.number,
    ...whole(row),
    amount: row.amount,
    channel: (index % 9) + 1,
    client: (index % 3) + 1,
  };
}

function betOf(row: Row, index: number) {
  return {
    bet_no: row.number,
    ...whole(row),
    valid_bet_amount: row.amount,
    platform: PLATFORMS[index % PLATFORMS.length],
  };
}

export interface Fed {
  readonly deposits: readonly Row[];
  readonly bets: readonly Row[];
}

export async function feed({ platform }: Signed, window: Window, seed: number): Promise<Fed> {
  const players = Array.from({ length: PLAYERS }, (_, player) => ({
    player_id: playerId(player),
    user_name: userName(player),
  }));
  const made = await platform.call("POST", "/open/v1/players", { players });
  claimEqual("players are taken", dig(made.body, "accepted"), PLAYERS);

  const deposits = makeRows("d", window, seed);
  const bets = makeRows("b", window, seed + 1);
  const taken = { accepted: ROWS, updated: 0, duplicates: 0, rejected: [] };
  const known = { accepted: 0, updated: 0, duplicates: ROWS, rejected: [] };
  for (const [what, body] of [
    ["deposits", { deposits: deposits.map(depositOf) }],
    ["bets", { bets: bets.map(betOf) }],
  ] as const) {
    const first = await platform.call("POST", `/open/v1/${what}`, body);
    claimEqual(`1,000 ${what} are taken`, [first.status, first.body], [200, taken]);
    const repeat = await platform.call("POST", `/open/v1/${what}`, body);
    claimEqual(
      `the same 1,000 ${what} again are duplicates`,
      [repeat.status, repeat.body],
      [200, known],
    );
  }

  const [row] = deposits;
  if (row !== undefined) {
    const other = { deposits: [{ ...depositOf(row, 0), amount: "1.00" }] };
    const conflict = await platform.call("POST", "/open/v1/deposits", other);
    const code = dig(conflict.body, "rejected", 0, "code");
    claimEqual("the same order with another amount is rejected", code, "conflict");
  }
  return { deposits, bets };
}

const EVERYBODY = Array.from({ length: PLAYERS }, (_, player) => player);

function own(preset: Preset, fed: Fed, player: number, window: Window): number {
  const of = (rows: readonly Row[]) => rows.filter((row) => row.player === player);
  return earned(preset, of(fed.deposits), of(fed.bets), window.from, window.until);
}

/** Compares `lottimes` and the platform's chances of all players with the run's own calculation. */
export async function compareChances(
  { operator, platform }: Signed,
  rounds: readonly Round[],
  fed: Fed,
  window: Window,
): Promise<void> {
  for (const round of rounds) {
    const off: unknown[] = [];
    let earning = 0;
    await inFlight(EVERYBODY, 8, async (player) => {
      const total = own(round.preset, fed, player, window);
      earning += total > 0 ? 1 : 0;
      const named = { start_date: round.date, rounds_name: round.name };
      const user_name = userName(player).toLowerCase();
      const query = { ...(player % 2 === 0 ? named : { rounds_id: round.id }), user_name };
      const said = await operator.lottimes(query);
      if (said.total !== total || said.already !== 0 || said.remain !== total) {
        off.push({ player, total, said });
      }
      if (player % 6 === 0) {
        const path = `/open/v1/rounds/${round.id}/chances?player_id=${playerId(player)}`;
        const { body } = await platform.call("GET", path, null);
        if (dig(body, "total") !== total || dig(body, "remain") !== total) {
          off.push({ player, total, chances: body });
        }
      }
    });
    claim(
      `lottimes of "${round.name}" equals the own calculation for ${PLAYERS} players`,
      off.length === 0 && (earning > 0 || round.preset.code === "3"),
      off.slice(0, 5),
    );
  }
}

/** One claim per exact boundary, for the reader. */
export async function compareEdges(
  { operator }: Signed,
  rounds: readonly Round[],
  window: Window,
): Promise<void> {
  const reach = rounds.find((round) => round.preset.code === "1,1,2");
  if (reach === undefined) {
    throw new Error("no round with cumulative deposit reaching");
  }
  const total = async (player: number) =>
    (await operator.lottimes({ rounds_id: reach.id, user_name: userName(player) })).total;
  claimEqual("499.99 does not reach 500", await total(0), 0);
  claimEqual("500.00 reaches 500", await total(1), 3);
  const first = AROUND_VALUES.length;
  const counts = edges(window).map((at) => at >= window.from && at < window.until);
  const names = [
    "in the second before the window",
    "in the millisecond before the window",
    "at the first instant of the window",
    "in the first second of the window",
    "at the first instant of the window's last second",
    "at the last millisecond of the window's last second",
    "one second after the end of the window",
    "almost two seconds after the end of the window",
  ];
  for (const [index, name] of names.entries()) {
    const counted = counts[index] === true;
    const what = `a deposit ${name} ${counted ? "counts" : "does not count"}`;
    claimEqual(what, await total(first + index), counted ? 3 : 0);
  }
}

/** An extra time adds one chance; a reversal takes back what its deposit earned. */
export async function changeChances(
  { operator, platform }: Signed,
  rounds: readonly Round[],
  fed: Fed,
  window: Window,
): Promise<void> {
  const totals = (player: number) =>
    Promise.all(
      rounds.map(async ({ id }) => {
        const said = await operator.lottimes({ rounds_id: id, user_name: userName(player) });
        return said.total;
      }),
    );
  const player = 1;
  const row = fed.deposits.find((one) => one.player === player);
  if (row === undefined) {
    throw new Error("no deposit to take back");
  }
  const { created_at } = depositOf(row, 0);
  const reversals = [{ order_no: row.number, created_at, reason: "returned" }];
  const answer = await platform.call("POST", "/open/v1/deposits/reversals", { reversals });
  claimEqual("a deposit is reversed", dig(answer.body, "accepted"), 1);
  const rest = { ...fed, deposits: fed.deposits.filter((one) => one !== row) };
  const expected = rounds.map((round) => own(round.preset, rest, player, window));
  claimEqual("a reversed deposit earns nothing", await totals(player), expected);

  const expire_time = shown(Date.now() + 86_400_000);
  const grant = { user_name: userName(player), tag: "dragon", expire_time };
  await operator.data("POST", "/gred/api/extratimes", grant);
  const left = await operator.data(
    "GET",
    `/gred/api/extratimes/total?user_name=${userName(player)}`,
    null,
  );
  claimEqual("an extra time is left", numberAt(left, "left_times"), 1);
  const granted = rounds.map(
    (round, index) => (expected[index] ?? 0) + (round.tag === "dragon" ? 1 : 0),
  );
  claimEqual("an extra time counts in the rounds of its group", await totals(player), granted);
}

/** After the draws of its round, the extra time of `changeChances` is used. */
export async function findExtraTimeUsed({ operator }: Signed): Promise<void> {
  const user_name = userName(1);
  const query = `user_name=${user_name}&page=1&size=20`;
  const list = await operator.data("GET", `/gred/api/extratimes/list?${query}`, null);
  const seen = listAt(list, "content").map((row) => [dig(row, "tag"), dig(row, "apply")]);
  claimEqual("the extra time was used by the draw", seen, [["dragon", 1]]);
  const left = await operator.data(
    "GET",
    `/gred/api/extratimes/total?user_name=${user_name}`,
    null,
  );
  claimEqual("and none is left", numberAt(left, "left_times"), 0);
}
