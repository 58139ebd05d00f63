/**
 * The overview (running rounds, open tasks) and the board of a round (behaviour §15). Each figure is the total of a
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

/**
 * Number of minutes on a board; the last minute is not over yet. PACE_MINUTES is the number of whole minutes
 * in a pace, to which the current minute is added.
 */
export const MINUTES_WATCHED = 60;
export const PACE_MINUTES = 10;

/** Values of the filter `payout_state=` of records. Paid, open and closed add up to drawn. */
export const FIGURE_STATES = {
  paid: statesThat(({ isDone }) => isDone),
  open: statesThat(({ isOwed }) => isOwed),
  closed: statesThat(({ isDone, isOwed }) => !isDone && !isOwed),
  /** The payout is on its way to the wallet, or its result is on the way back. */
  waiting: statesThat(({ isCalled }) => isCalled),
  ...({ refused: ["refused"], unknown: ["unknown"], check: ["check"] } as const),
  goods: ["waiting_delivery"],
} as const;

const figure = z.object({ count: z.int(), amount: houseMoney() });
export type Figure = z.output<typeof figure>;
/** Sums of players' rows. Callers without the permission to see amounts of players get them masked. */
const ofPlayers = z.extend(figure, { amount: playerAmount() });

/**
 * Records with the filter of the surrounding comment. All figures except `drawn` add `payout_state=` of FIGURE_STATES.
 */
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

/** Number of draws in each watched minute, oldest first. */
const pace = z.array(z.int());

export const overview = z.object({
  /** `at` is the time of this snapshot; a new `at` alone is not a change. `day` is midnight of that day. */
  at: plain(),
  day: plain(),
  /**
   * Running rounds by end, then the next rounds by start; at most 20. Records: `rounds_id=`, and for `today`
   * also `start_time={day}`.
   */
  rounds: z.array(z.extend(round, { drawn: figure, today: figure, pace })),
  /** Active stop switches, without the switches of pools. */
  stopped: z.array(z.enum(STOP_NAMES)),
  needs: z.object({
    ...outcomesAs(ofPlayers),
    /** Breaks: `open=1`. The money is the sum of the list's `sums`. */
    breaks: ofPlayers,
    /**
     * Prizes of running rounds with less than a tenth of their stock left. The list has the 20 prizes with
     * the smallest share left.
     */
    low_prizes: z.object({ count: z.int(), prizes: z.array(low) }),
    /** Ended rounds that nobody signed, by the month of their end. The list is the rows of `month?month=`. */
    unsigned: z.array(monthly),
  }),
  /** Records, deposits, bets: `start_time={day}`. */
  today: z.object({ ...outcomesAs(ofPlayers), deposits: ofPlayers, bets: ofPlayers }),
});
export type Overview = z.output<typeof overview>;

const boardPrize = z.extend(stock, {
  /** Records: `rounds_id=&drawn_prize=`. The id is null before the first draw of this prize in this round. */
  drawn_prize: z.nullable(z.int()),
  drawn: figure,
  /** Number of draws by all rounds of the pool in the minutes of the pace. */
  lately: z.int(),
  /**
   * Estimated time at which the stock runs out, to the minute (engine/pace.ts). Null if the prize is sold
   * out, or if the stock lasts until the round's end.
   */
  runs_out_at: z.nullable(plain()),
});

export const board = z.extend(round, {
  at: plain(),
  /**
   * Oldest first. Records: `rounds_id=&start_time={minute}&end_time={its second 59}`. Rejected draw calls
   * have only a count and no list.
   */
  minutes: z.array(z.object({ minute: plain(), drawn: figure, refused: z.int() })),
  /** Records: `rounds_id=&start_time={lately}`. This figure is the sum of `minutes`. */
  lately: figure,
  /**
   * Reasons of rejected draw calls in these minutes, most frequent first. Their counts add up to `refused` of
   * all minutes.
   */
  refusals: z.array(z.object({ reason: z.enum(PROBLEM_CODES), count: z.int() })),
  prizes: z.array(boardPrize),
  /** Records: `rounds_id=`. Unmasked: every caller may see the figures of a whole round, as on its sheet. */
  ...outcomesAs(figure),
  /**
   * Estimated time at which no payout waits, at the rate of the last watched minute. Null if the number does
   * not fall or the rate is unknown.
   */
  drains_at: z.nullable(plain()),
  wallet: walletHealth,
  /** Stop switches of all draws, of all payouts, and of the round's pool. */
  stops: z.array(stop),
});
export type Board = z.output<typeof board>;

/**
 * Maximum number of topics of a stream, which all tabs of a browser share. The server reads each topic once
 * for all streams.
 */
export const TOPICS_MAX = 20;
const TOPIC = "(?:overview|board:[1-9]\\d{0,15})";
const TOPICS = new RegExp(`^${TOPIC}(?:,${TOPIC}){0,${TOPICS_MAX - 1}}$`);
/** Topics, separated by commas: `overview`, and `board:` with the id of an activity. */
const topics = z.string({ error: "not_a_text" }).check(z.regex(TOPICS, "not_in_set"));

/** The last event of a stream that the server ends. It contains the error that the next call would get. */
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
