/** Draws by a player through the game platform, and what a player may see (platform-api; behaviour §5). */
import * as z from "zod/mini";
import { PROBLEM_CODES } from "#platform/errors";
import { amountText, externalId, id, instantText, numberCode, rowList } from "#platform/fields";
import { DRAWS_PER_BATCH_MAX } from "#platform/limits";
import { AWARD_STATUS, DRAW_LIMITS } from "#platform/codes";
import { platform, route } from "#platform/route";

export const drawRequest = z.strictObject({
  request_id: externalId(),
  rounds_id: id(),
  player_id: externalId(),
});
export type DrawRequest = z.output<typeof drawRequest>;

export const drawAnswer = z.object({
  log_id: z.int(),
  trans_sn: z.string(),
  rounds_id: z.int(),
  award_name: z.string(),
  award_price: amountText(),
  type: z.enum(["physical", "virtual"]),
  created_at: instantText(),
});
export type DrawAnswer = z.output<typeof drawAnswer>;

/** The error response of a platform call: RFC 9457 with a stable `code`. */
export const problem = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  code: z.string().register(z.globalRegistry, { enum: [...PROBLEM_CODES] }),
  detail: z.string(),
  /** With `bad_input`: all errors of the input, by field. */
  errors: z.optional(z.array(z.object({ field: z.string(), msg: z.string() }))),
});
export type Problem = z.output<typeof problem>;

export const openRound = z.object({
  rounds_id: z.int(),
  rounds_name: z.string(),
  tag: z.string(),
  start_time: instantText(),
  end_time: instantText(),
  rule_text: z.string(),
});

/** What the player still needs for the next chance; null if no amount earns a chance. */
export const nextChance = z.nullable(
  z.object({ source: z.enum(["deposit", "bet"]), missing: amountText() }),
);

export const roundChances = z.object({
  total: z.int(),
  already: z.int(),
  remain: z.int(),
  next: nextChance,
  /** The limit that blocks draws now; null if no limit does. */
  limited_by: z.nullable(z.enum(DRAW_LIMITS)),
});

export const drawRoutes = {
  rounds: route({
    call: "GET /open/v1/rounds",
    summary: "Rounds, with their rule as a sentence",
    ...platform("read", "read"),
    query: z.object({ active: z.optional(numberCode([0, 1])) }),
    data: z.object({ rounds: z.array(openRound) }),
  }),
  chances: route({
    call: "GET /open/v1/rounds/{rounds_id}/chances",
    summary: "Draws of a player in a round, and what is missing for the next",
    ...platform("read", "read"),
    params: z.object({ rounds_id: id() }),
    query: z.object({ player_id: externalId() }),
    data: roundChances,
  }),
  draw: route({
    call: "POST /open/v1/draws",
    summary: "Draw once; the same request_id is answered with the same record for good",
    ...platform("draw", "own"),
    body: drawRequest,
    data: drawAnswer,
  }),
  batch: route({
    call: "POST /open/v1/draws/batch",
    summary: "Up to 500 draws, each answered as its single call would be",
    ...platform("draw", "own"),
    body: z.strictObject({
      draws: rowList(DRAWS_PER_BATCH_MAX),
    }),
    data: z.object({
      results: z.array(z.union([z.extend(drawAnswer, { status: z.literal([200, 201]) }), problem])),
    }),
  }),
  find: route({
    call: "GET /open/v1/draws/{request_id}",
    summary: "The draw made for a request_id, with its dispatch status",
    ...platform("read", "read"),
    params: z.object({ request_id: externalId() }),
    data: z.extend(drawAnswer, { award_status: z.literal(Object.values(AWARD_STATUS)) }),
  }),
};
