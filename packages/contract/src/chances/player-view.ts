/** What support asks about a player: identity, missing draws, payouts (behaviour §4, §6). */
import * as z from "zod/mini";
import { exclusion } from "#players/exclusion";
import { standing, supportExplanation } from "./explanation.ts";
import { dateTime, freeText, id, trimmedText } from "#platform/fields";
import { NAME_LENGTH_MAX, REASON_LENGTH_MAX } from "#platform/limits";
import { PAYOUT_STATES } from "#platform/codes";
import { account, plain, playerAmount, walletWords } from "#platform/marks";
import { operator, route } from "#platform/route";

/** Reasons listed per payout state; the others are only counted. */
export const REASONS_MAX = 3;

export const payoutSum = z.object({
  payout_state: z.enum(PAYOUT_STATES),
  count: z.int(),
  amount: playerAmount(),
  /** For an open state: since when the oldest payout has been in it; null: a final state. */
  since: z.nullable(plain()),
  /** Why they were refused or closed, with the count of each reason, newest first. */
  reasons: z.array(
    z.object({
      /** Null: no reason was given. */
      reason: z.nullable(walletWords()),
      count: z.int(),
      amount: playerAmount(),
    }),
  ),
  /** Refused or closed for reasons that are not listed. */
  other_reasons: z.object({ count: z.int(), amount: playerAmount() }),
});
export type PayoutSum = z.output<typeof payoutSum>;

export const playerHead = z.object({
  player_id: account(),
  user_name: account(),
  blocked: z.boolean(),
  /** The player's data was erased for good; id and account are placeholders. */
  erased: z.boolean(),
  /** Null: not blocked, or blocked before the time was recorded. */
  blocked_since: z.nullable(plain()),
  /** Those in force, the one that lasts longest first. */
  exclusions: z.array(exclusion),
  draws: z.int(),
  /** Usable extra times of all groups. */
  left_times: z.int(),
  /** Only states that occur, in the order of a payout's life. */
  payouts: z.array(payoutSum),
  /** Start of the stop of payouts; null while they are sent. */
  payouts_stopped_since: z.nullable(plain()),
  /** Rounds that run now, in the order of `byInvolvement`; without any, the latest that has begun. */
  rounds: z.array(z.extend(standing, { is_current: z.boolean() })),
});
export type PlayerHead = z.output<typeof playerHead>;

const typedAccount = () => trimmedText("enter_search_account", NAME_LENGTH_MAX);

export const playerViewRoutes = {
  head: route({
    call: "GET /gred/api/player/head",
    summary: "A player: block, draws, payouts by state, and why there is a draw or none just now",
    ...operator("player.read", "read"),
    query: z.object({ user_name: typedAccount() }),
    data: playerHead,
  }),
  explain: route({
    call: "POST /gred/api/player/explain",
    summary: "Why a player has as many draws in a round: each deposit or bet, extra time and draw",
    ...operator("player.read", "read"),
    /** `as_of`: as it was known at the end of that second, which is past. */
    body: z.object({ user_name: typedAccount(), rounds_id: id(), as_of: z.optional(dateTime()) }),
    data: supportExplanation,
  }),
  named: route({
    call: "POST /gred/api/player/named",
    summary: "The players whom a typed reason or note names, as it would be kept",
    ...operator("player.read", "read"),
    body: z.object({ text: freeText(REASON_LENGTH_MAX) }),
    /** Their present accounts, in the order of the text. Without `account.see`: only accounts that the text itself has. */
    data: z.object({ user_names: z.array(account()) }),
  }),
};
