/** What a platform's page shows its player: prizes, chances left with the reason, and the last draws (platform-api). */
import * as z from "zod/mini";
import { drawAnswer, roundChances } from "./draw.ts";
import { explainedExtra, explanation } from "#chances/explanation";
import { amountText, externalId, id, idList, wholeNumber } from "#platform/fields";
import { PAGE_DRAWS_DEFAULT, PAGE_DRAWS_MAX, ROUNDS_PER_CALL_MAX } from "#platform/limits";
import { AWARD_STATUS, PLAYER_STATES } from "#platform/codes";
import { platform, route } from "#platform/route";
import { LANGUAGES } from "#platform/texts";

/** How precisely an installation shows the stock to its players (`PRIZE_STOCK_SHOWN`). */
export const STOCK_SHOWN = ["exact", "words", "none"] as const;
export type StockShown = (typeof STOCK_SHOWN)[number];

export const STOCK_WORDS = ["plenty", "few", "none"] as const;
export type StockWord = (typeof STOCK_WORDS)[number];

const pagePrize = z.object({
  prize_id: z.int(),
  award_name: z.string(),
  award_price: amountText(),
  type: z.enum(["physical", "virtual"]),
  /**
   * Probability in the next draw, as decimal text with at most 15 places. All probabilities add up to 1, or
   * to 0 when nothing is left.
   */
  probability: z
    .string()
    .register(z.globalRegistry, { pattern: String.raw`^(?:1|0(?:\.\d{1,15})?)$` }),
  /** Number of pieces left; present only if the installation shows the exact stock. */
  remaining: z.optional(z.int()),
  /** Present only if the installation shows the stock in words. */
  stock: z.optional(z.enum(STOCK_WORDS)),
  stock_text: z.optional(z.string()),
});
export type PagePrize = z.output<typeof pagePrize>;

const pageDraw = z.extend(drawAnswer, {
  /** Null if another key made the draw, or if the server has deleted requests of that age. */
  request_id: z.nullable(z.string()),
  rounds_name: z.string(),
  award_status: z.literal(Object.values(AWARD_STATUS)),
  payout_state: z.enum(PLAYER_STATES),
  payout_text: z.string(),
});

const inEach = () => z.record(z.enum(LANGUAGES), z.string());

export const playerPageRoutes = {
  prizes: route({
    call: "GET /open/v1/rounds/{rounds_id}/prizes",
    summary: "Prizes of a round with the probabilities of the next draw",
    ...platform("read", "read"),
    params: z.object({ rounds_id: id() }),
    data: z.object({ prizes: z.array(pagePrize) }),
  }),
  chances: route({
    call: "GET /open/v1/chances",
    summary: "Draws of a player in several rounds, and what is missing for the next",
    ...platform("read", "read"),
    query: z.object({ player_id: externalId(), rounds_ids: idList(ROUNDS_PER_CALL_MAX) }),
    data: z.object({
      chances: z.array(
        z.union([
          z.extend(roundChances, { rounds_id: z.int() }),
          z.object({ rounds_id: z.int(), code: z.literal("round_not_found") }),
        ]),
      ),
    }),
  }),
  explanation: route({
    call: "GET /open/v1/rounds/{rounds_id}/explanation",
    summary: "Why a player has as many draws in a round, in words and row by row",
    ...platform("read", "read"),
    params: z.object({ rounds_id: id() }),
    query: z.object({ player_id: externalId() }),
    /** Fields have RFC 3339 times. The texts have times in the format that operators read. */
    data: z.extend(explanation, {
      text: inEach(),
      rule_text: inEach(),
      /** Players do not see who took an extra time back, or why. */
      extras: z.array(
        z.extend(explainedExtra, { taken_back: z.nullable(z.object({ at: z.string() })) }),
      ),
    }),
  }),
  draws: route({
    call: "GET /open/v1/players/{player_id}/draws",
    summary: "Draws of a player, newest first, with what has become of the prizes",
    ...platform("read", "read"),
    params: z.object({ player_id: externalId() }),
    query: z.object({
      limit: z._default(wholeNumber(1, PAGE_DRAWS_MAX), PAGE_DRAWS_DEFAULT),
      /** Returns only draws with a `log_id` below this number. */
      before: z.optional(id()),
      rounds_id: z.optional(id()),
    }),
    data: z.object({
      draws: z.array(pageDraw),
      /** The value of `before` for the next page; null on the last page. */
      next: z.nullable(z.int()),
    }),
  }),
};
