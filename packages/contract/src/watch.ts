/**
 * How it goes: what runs, what needs somebody, and how a round goes now (behaviour §14). Each figure (count and money)
 * is the total of a list; its comment names the filter. `{day}` is midnight of today, `{lately}` the start of the first
 * of the last MINUTES_WATCHED minutes. Money of several records is what was drawn.
 */
import * as z from "zod/mini";
import { POOL_GATES } from "./activity.ts";
import { PROBLEM_CODES } from "./errors.ts";
import { id } from "./fields.ts";
import { statesThat } from "./lookups.ts";
import { route } from "./route.ts";
import type { Access } from "./route.ts";
import { stop } from "./stop-switch.ts";
import { walletHealth } from "./wallet.ts";

/** Minutes of a board, the last one still running. */
export const MINUTES_WATCHED = 60;
/** A pace is that of so many whole minutes and the running one. */
export const PACE_MINUTES = 10;
/** Rounds and prizes listed at most; their number is always complete. */
export const WATCHED_MAX = 20;
/** Topics of one stream at most. */
export const TOPICS_MAX = 5;

/** As `payout_state=` of records. Paid, open and closed add up to drawn. */
export const FIGURE_STATES = {
  paid: statesThat(({ isDone }) => isDone),
  open: statesThat(({ isOwed }) => isOwed),
  closed: statesThat(({ isDone, isOwed }) => !isDone && !isOwed),
  /** On its way to or from the wallet. */
  waiting: statesThat(({ isCalled }) => isCalled),
  refused: ["refused"],
  unknown: ["unknown"],
  check: ["check"],
  goods: ["waiting_delivery"],
} as const;

const figure = z.object({ count: z.int(), amount: z.string() });
export type Figure = z.output<typeof figure>;

/** Figures of records by outcome: the list without more, or with `payout_state=` of FIGURE_STATES. */
const outcomes = { drawn: figure, paid: figure, open: figure, closed: figure };

const round = {
  rounds_id: z.int(),
  rounds_name: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  phase: z.enum(["next", "running", "ended"]),
  rounds_status: z.literal([0, 1]),
  pool_name: z.string(),
  /** What keeps every draw from the pool away now. */
  pool_gate: z.nullable(z.enum(POOL_GATES)),
};

const watchedRound = z.object({
  ...round,
  /** Records: `rounds_id=`. */
  drawn: figure,
  /** Records: `rounds_id=&start_time={day}`. */
  today: figure,
});
export type WatchedRound = z.output<typeof watchedRound>;

const lowPrize = z.object({
  rounds_id: z.int(),
  rounds_name: z.string(),
  pool_name: z.string(),
  prize_id: z.int(),
  award_name: z.string(),
  award_price: z.string(),
  award_total: z.int(),
  remaining: z.int(),
});
export type LowPrize = z.output<typeof lowPrize>;

export const overview = z.object({
  /** When it was read; midnight of that day: `{day}`. A new `at` alone is no change. */
  at: z.string(),
  day: z.string(),
  /** Running ones by their end, then the next ones by their start; WATCHED_MAX in all. */
  rounds: z.array(watchedRound),
  /** How many run, shown or not. */
  running: z.int(),
  needs: z.object({
    /** Records: `payout_state=` of the same name in FIGURE_STATES. */
    refused: figure,
    unknown: figure,
    check: figure,
    goods: figure,
    /** Breaks: `open=1`; the money is the sum of its `sums`. */
    breaks: figure,
    /** Prizes of running rounds with less than a tenth of their stock left, emptiest first. */
    low_prizes: z.object({ count: z.int(), prizes: z.array(lowPrize) }),
    /** Rounds that ended with draws and were never signed, by the month of their end: rows of `month?month=`. */
    unsigned: z.object({
      count: z.int(),
      months: z.array(z.object({ month: z.string(), count: z.int() })),
    }),
  }),
  today: z.object({
    /** Records: `start_time={day}`. */
    ...outcomes,
    /** Deposits, bets: `start_time={day}`; the money is what counts, as in their list. */
    deposits: figure,
    bets: figure,
  }),
});
export type Overview = z.output<typeof overview>;

const boardPrize = z.object({
  prize_id: z.int(),
  award_name: z.string(),
  award_price: z.string(),
  award_total: z.int(),
  remaining: z.int(),
  /** Records: `rounds_id=&drawn_prize=`; the id is null before the first draw in this round. */
  drawn_prize: z.nullable(z.int()),
  drawn: figure,
  /** Draws in the time of the pace, by all rounds that share the pool. */
  lately: z.int(),
  /** To the minute. Null: empty already, or not before the round ends at the present pace (engine/pace.ts). */
  runs_out_at: z.nullable(z.string()),
});
export type BoardPrize = z.output<typeof boardPrize>;

const boardMinute = z.object({
  /** Its start. */
  minute: z.string(),
  /** Records: `rounds_id=&start_time={minute}&end_time={its second 59}`. */
  drawn: figure,
  /** Draw calls that were refused; nothing but this count is kept of them. */
  refused: z.int(),
});
export type BoardMinute = z.output<typeof boardMinute>;

export const board = z.object({
  at: z.string(),
  ...round,
  /** Oldest first, MINUTES_WATCHED of them. */
  minutes: z.array(boardMinute),
  /** Records: `rounds_id=&start_time={lately}`; the sum of `minutes`. */
  lately: figure,
  /** Why draw calls of these minutes got no draw, most frequent first; they add up to `refused` of the minutes. */
  refusals: z.array(z.object({ reason: z.enum(PROBLEM_CODES), count: z.int() })),
  /** Of the round's pool now, in the order of its list. */
  prizes: z.array(boardPrize),
  /** Records: `rounds_id=`. */
  ...outcomes,
  /** Records: `rounds_id=&payout_state=` of FIGURE_STATES. */
  waiting: figure,
  /** When nothing waits if it goes on falling as in the last minute watched; null: it does not fall, or unknown yet. */
  drains_at: z.nullable(z.string()),
  wallet: walletHealth,
  /** Those for all draws or payouts, and for the round's pool. */
  stops: z.array(stop),
});
export type Board = z.output<typeof board>;

/** Topic of a stream with the board of an activity; the other topic is `overview`. */
export const boardTopic = (activity: number) => `board:${activity}`;
const TOPIC = String.raw`(?:overview|board:[1-9]\d{0,15})`;
const TOPIC_LIST = new RegExp(`^${TOPIC}(?:,${TOPIC}){0,${TOPICS_MAX - 1}}$`);

/** Up to TOPICS_MAX topics, separated by commas. */
const topicList = z.pipe(
  z.string({ error: "not_a_text" }).check(z.regex(TOPIC_LIST, "not_in_set")),
  z.transform((list) => [...new Set(list.split(","))]),
);

/** Last event of a stream that the server ends: the refusal that the next call would be answered with. */
export const STREAM_END = "end";

const watching = <const A extends Access>(access: A) =>
  ({
    auth: {
      by: "operator",
      permission: "record.read",
      also: "activity.read",
      unattended: true,
    },
    access,
  }) as const;

export const watchRoutes = {
  overview: route({
    call: "GET /gred/api/watch/overview",
    summary: "What runs, what needs somebody, and today's figures; at most a second old",
    ...watching("read"),
    data: overview,
  }),
  board: route({
    call: "GET /gred/api/watch/board",
    summary: "How one round goes: draws, refusals, stock, money, payouts and wallet",
    ...watching("read"),
    query: z.object({ activity: id() }),
    data: board,
  }),
  stream: route({
    call: "GET /gred/api/watch/stream",
    summary:
      "Events named as their topics (overview, board:ID; several by commas) with the data of these calls: at once, then at each change",
    ...watching("stream"),
    query: z.object({ topics: topicList }),
    data: z.union([overview, board]),
  }),
};
