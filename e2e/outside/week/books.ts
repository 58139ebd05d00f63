/** Books that check the week: answered draws, the list's rows and sums, the wallet's ledger. */
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "../claims.ts";
import type { Round, Signed, Window } from "../context.ts";
import { textAt } from "../json.ts";
import { cents, decimal, sumOf } from "../money.ts";
import type { Operator } from "../operator.ts";
import { askFor, inFlight } from "../platform.ts";
import type { Answer, Ask } from "../platform.ts";
import { makeRound } from "../setup.ts";
import type { RoundWish } from "../setup.ts";
import type { Authenticator } from "../totp.ts";

export const WIDTH = 64;
const SETTLE_MS = 240_000;

export interface Week extends Omit<Signed, "operator"> {
  /** The signed-in operator. */
  operator: Operator;
  token: string;
  readonly authenticator: Authenticator;
  readonly window: Window;
  /** Every round of the week; the price of each answered draw, by round and `trans_sn`. */
  readonly rounds: Round[];
  readonly heard: Map<number, Map<string, string>>;
  /** Continues in a new folder from a file of `redctl backup`. */
  readonly restore: () => Promise<void>;
}

export interface Figure {
  readonly count: number;
  readonly amount: string;
}

export function playersOf(day: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    player_id: `w-${day}${index}`,
    user_name: `Week_${day}_${index}`,
  }));
}

export type Player = ReturnType<typeof playersOf>[number];

export function roundOf({ rounds }: Week, name: string): Round {
  const found = rounds.find((round) => round.name === name);
  if (found === undefined) {
    throw new Error(`the week has no round "${name}" yet`);
  }
  return found;
}

export async function openRound(week: Week, wish: RoundWish): Promise<Round> {
  const round = await makeRound(week.operator, week.window, wish);
  week.rounds.push(round);
  return round;
}

/** Reads until `isSo`, for a minute at most by default; answers the last reading. */
export async function readUntil<T>(
  read: () => Promise<T>,
  isSo: (seen: T) => boolean,
  [everyMs, mostMs] = [100, 60_000],
): Promise<T> {
  const giveUp = Date.now() + mostMs;
  for (;;) {
    const seen = await read();
    if (isSo(seen) || Date.now() > giveUp) {
      return seen;
    }
    await sleep(everyMs);
  }
}

/** Waits until no money record is pending. */
export async function settled({ operator }: Week): Promise<void> {
  const pending = async () =>
    (await operator.records(null)).filter(
      (row) => row.award_price !== "0.00" && row.award_status === 0,
    );
  const open = await readUntil(pending, ({ length }) => length === 0, [1_000, SETTLE_MS]);
  claim("every payout comes to its end", open.length === 0, open.slice(0, 3));
}

export async function feed({ platform }: Week, path: string, body: object): Promise<unknown> {
  const { status, text, body: answer } = await platform.call("POST", path, body);
  if (status !== 200) {
    throw new Error(`${path} → ${status} ${text}`);
  }
  return answer;
}

export async function feedPlayers(
  week: Week,
  players: readonly (Player & { readonly blocked?: boolean })[],
): Promise<void> {
  await feed(week, "/open/v1/players", { players });
}

export async function draw({ platform, heard }: Week, ask: Ask): Promise<Answer> {
  const answer = await platform.draw(ask);
  if (answer.status === 200 || answer.status === 201) {
    const drawn = heard.get(ask.rounds_id) ?? new Map<string, string>();
    drawn.set(textAt(answer.body, "trans_sn"), textAt(answer.body, "award_price"));
    heard.set(ask.rounds_id, drawn);
  }
  return answer;
}

/** Asks for `times` draws of each player in a round. */
export function asksOf({ id }: Round, players: readonly Player[], times = 1): Ask[] {
  const each = Array.from({ length: times }, () => players).flat();
  return each.map(({ player_id }) => askFor(id, player_id));
}

export async function drawAll(week: Week, asks: readonly Ask[]): Promise<Answer[]> {
  return await inFlight(asks, WIDTH, (ask) => draw(week, ask));
}

/** Finance's heading for each payout state, and the dispatch status that sums it up. */
const HEADINGS = {
  paid: { states: ["paid"], status: 1 },
  pending: { states: ["queued", "sending"], status: 0 },
  unknown: { states: ["unknown", "check"], status: 0 },
  refused: { states: ["refused"], status: 2 },
  closed: { states: ["closed"], status: 2 },
  delivered: { states: ["delivered"], status: 1 },
  waiting: { states: ["waiting_delivery"], status: 0 },
} as const satisfies Record<string, { states: readonly string[]; status: 0 | 1 | 2 }>;

type Heading = keyof typeof HEADINGS;

// Its keys are all of them.
const HEADING_NAMES = Object.keys(HEADINGS) as Heading[];

function totalOf(rows: readonly unknown[]): Figure {
  return { count: rows.length, amount: sumOf(rows.map((row) => textAt(row, "award_price"))) };
}

function added(totals: readonly Figure[]): Figure {
  const amount = totals.reduce((sum, one) => sum + cents(one.amount), 0n);
  return { count: totals.reduce((sum, one) => sum + one.count, 0), amount: decimal(amount) };
}

/**
 * Claims that a round ties out: the draws that the platform was answered equal the headings, in count and in money;
 * so do the list's sums; and the wallet's own ledger has exactly what is under "paid". Answers totals by heading.
 */
export async function tieOut(week: Week, round: Round): Promise<Record<Heading, Figure>> {
  const { operator, wallet, heard } = week;
  const { rows, sums, total } = await operator.book(round.id);
  const under = (heading: Heading) => {
    const states: readonly string[] = HEADINGS[heading].states;
    return rows.filter((row) => states.includes(textAt(row, "payout_state")));
  };
  // Made from every heading.
  const totals = Object.fromEntries(
    HEADING_NAMES.map((heading) => [heading, totalOf(under(heading))]),
  ) as Record<Heading, Figure>;
  const prices = heard.get(round.id) ?? new Map<string, string>();
  const drawn = { count: prices.size, amount: sumOf(prices.values()) };
  const sum = added(HEADING_NAMES.map((heading) => totals[heading]));
  claimEqual(`"${round.name}" ties out: drawn is the sum of the headings`, sum, drawn);
  const strange = rows.filter(
    (row) => prices.get(textAt(row, "trans_sn")) !== textAt(row, "award_price"),
  );
  claimEqual(
    `"${round.name}" has the records that were answered`,
    [strange.length, total],
    [0, prices.size],
  );

  const expected = ([0, 1, 2] as const).flatMap((award_status) => {
    const names = HEADING_NAMES.filter((heading) => HEADINGS[heading].status === award_status);
    const { count, amount } = added(names.map((heading) => totals[heading]));
    return count > 0 ? [{ award_status, count, amount }] : [];
  });
  const shown = sums
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.award_status - b.award_status);
  claimEqual(`the sums of "${round.name}" say the same`, shown, expected);

  const numbers = new Set(rows.map((row) => textAt(row, "trans_sn")));
  const ledger = [...wallet.credits.values()].filter(({ trans_sn }) => numbers.has(trans_sn));
  const booked = { count: ledger.length, amount: sumOf(ledger.map(({ amount }) => amount)) };
  claimEqual(`the wallet's ledger has what "${round.name}" paid`, booked, totals.paid);
  const off = under("paid").filter((row) => {
    const credit = wallet.credits.get(textAt(row, "trans_sn"));
    return (
      credit?.amount !== textAt(row, "award_price") || credit.player_id !== textAt(row, "player_id")
    );
  });
  claim(
    `each credit of "${round.name}" is its record's price and player`,
    off.length === 0,
    off[0],
  );
  return totals;
}
