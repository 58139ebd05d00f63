/**
 * The overview (what runs, which tasks are open) and the board of a round (behaviour §15). Each figure is the total of a
 * list with the filter in its comment: `{day}` is midnight of today, `{lately}` the start of the first watched minute.
 */
import * as z from "zod/mini";
import { listedActivity } from "#rounds/activity";
import { PROBLEM_CODES } from "#platform/errors";
import { id } from "#platform/fields";
import { statesThat } from "#platform/codes";
import { houseMoney, plain, playerAmount } from "#platform/marks";
import { prize } from "#pools/prize";
import { route, unattended } from "#platform/route";
import { stop, STOP_NAMES } from "#stops/stop-switch";
import { walletHealth } from "#payouts/wallet";

/** Minutes of a board; the last one still runs. A pace covers ten whole minutes and the running one. */
export const MINUTES_WATCHED = 60;
export const PACE_MINUTES = 10;

/** As `payout_state=` of records. Paid, open and closed add up to drawn. */
export const FIGURE_STATES = {
  paid: statesThat(({ isDone }) => isDone),
  open: statesThat(({ isOwed }) => isOwed),
  closed: statesThat(({ isDone, isOwed }) => !isDone && !isOwed),
  /** On its way to or from the wallet. */
  waiting: statesThat(({ isCalled }) => isCalled),
  ...({ refused: ["refused"], unknown: ["unknown"], check: ["check"] } as const),
  goods: ["waiting_delivery"],
} as const;

const figure = z.object({ count: z.int(), amount: houseMoney() });
export type Figure = z.output<typeof figure>;
/** Sums of players' rows, hidden from callers who may not see amounts of players. */
const ofPlayers = z.extend(figure, { amount: playerAmount() });

/** Records with the filter of the place; all except `drawn` also with `payout_state=` of FIGURE_STATES. */
const outcomesAs = <F extends typeof figure>(of: F) => {
  const drawn = { drawn: of, paid: of, open: of, closed: of, waiting: of };
  return { ...drawn, refused: of, unknown: of, check: of, goods: of };
};

const { rounds_name, start_time, end_time, rounds_status, pool_name, pool_gate } =
  listedActivity.shape;
const phase = z.enum(["next", "running", "ended"]);
const named = { rounds_id: z.int(), rounds_name, start_time, end_time };
const round = z.object({ ...named, rounds_status, pool_name, pool_gate, phase });
const { award_name, award_price, award_total, remaining } = prize.shape;
const stock = z.object({ prize_id: z.int(), award_name, award_price, award_total, remaining });
const low = z.extend(stock, { rounds_id: z.int(), pool_name });
const monthly = z.object({ month: plain(), count: z.int() });

/** Draws of each minute watched, oldest first. */
const pace = z.array(z.int());

export const overview = z.object({
  /** The time of the reading (a new `at` alone is not a change), and midnight of that day. */
  at: plain(),
  day: plain(),
  /** Running rounds by end, then the next ones by start; at most 20. Records: `rounds_id=`, and with `start_time={day}`. */
  rounds: z.array(z.extend(round, { drawn: figure, today: figure, pace })),
  /** Stop switches in force, except those of pools. */
  stopped: z.array(z.enum(STOP_NAMES)),
  needs: z.object({
    ...outcomesAs(ofPlayers),
    /** Breaks: `open=1`; the money is the sum of its `sums`. */
    breaks: ofPlayers,
    /** Prizes of running rounds with less than a tenth of their stock left, the 20 emptiest first. */
    low_prizes: z.object({ count: z.int(), prizes: z.array(low) }),
    /** Rounds that ended and were never signed, by the month of their end: rows of `month?month=`. */
    unsigned: z.array(monthly),
  }),
  /** Records, deposits, bets: `start_time={day}`. */
  today: z.object({ ...outcomesAs(ofPlayers), deposits: ofPlayers, bets: ofPlayers }),
});
export type Overview = z.output<typeof overview>;

const boardPrize = z.extend(stock, {
  /** Records: `rounds_id=&drawn_prize=`; the id is null before the first draw in this round. */
  drawn_prize: z.nullable(z.int()),
  drawn: figure,
  /** Draws in the time of the pace by all rounds of the pool. */
  lately: z.int(),
  /** To the minute. Null: sold out already, or enough until the round's end at the present pace (engine/pace.ts). */
  runs_out_at: z.nullable(plain()),
});

export const board = z.extend(round, {
  at: plain(),
  /** Oldest first. Records: `rounds_id=&start_time={minute}&end_time={its second 59}`; draw calls refused are counted only. */
  minutes: z.array(z.object({ minute: plain(), drawn: figure, refused: z.int() })),
  /** Records: `rounds_id=&start_time={lately}`; the sum of `minutes`. */
  lately: figure,
  /** Reasons of refused draw calls in these minutes, most frequent first; they add up to `refused` of the minutes. */
  refusals: z.array(z.object({ reason: z.enum(PROBLEM_CODES), count: z.int() })),
  prizes: z.array(boardPrize),
  /** Records: `rounds_id=`. A round's own figures are seen, as on its sheet. */
  ...outcomesAs(figure),
  /** When no payout waits, if the number keeps falling as in the last watched minute; null: it does not fall, or is unknown. */
  drains_at: z.nullable(plain()),
  wallet: walletHealth,
  /** Stop switches of all draws or payouts, and of the round's pool. */
  stops: z.array(stop),
});
export type Board = z.output<typeof board>;

/** Most topics of a stream, which all tabs of a browser share. The server reads each topic once for all streams. */
export const TOPICS_MAX = 20;
const TOPIC = "(?:overview|board:[1-9]\\d{0,15})";
const TOPICS = new RegExp(`^${TOPIC}(?:,${TOPIC}){0,${TOPICS_MAX - 1}}$`);
/** Topics, separated by commas: `overview`, and `board:` with the id of an activity. */
const topics = z.string({ error: "not_a_text" }).check(z.regex(TOPICS, "not_in_set"));

/** The last event of a stream that the server ends: the refusal that the next call would get. */
export const STREAM_END = "end";

const WATCHING = ["record.read", "activity.read"] as const;

export const watchRoutes = {
  overview: route({
    call: "GET /gred/api/watch/overview",
    summary: "What runs, what needs somebody, and today's figures",
    ...unattended(WATCHING, "read"),
    data: overview,
  }),
  board: route({
    call: "GET /gred/api/watch/board",
    summary: "How one round goes: draws, refusals, stock, money, payouts and wallet",
    ...unattended(WATCHING, "read"),
    query: z.object({ activity: id() }),
    data: board,
  }),
  stream: route({
    call: "GET /gred/api/watch/stream",
    summary: "Events named as their topics (overview, board:ID): at once, then at each change",
    ...unattended(WATCHING, "stream"),
    query: z.object({ topics }),
    data: z.union([overview, board]),
  }),
};
