/** What support staff need to know about a player: identity, missing draws, payouts (behaviour §4, §6). */
import * as z from "zod/mini";
import { exclusion } from "#players/exclusion";
import { standing, supportExplanation } from "./explanation.ts";
import { dateTime, freeText, id, trimmedText } from "#platform/fields";
import { NAME_LENGTH_MAX, REASON_LENGTH_MAX } from "#platform/limits";
import { PAYOUT_STATES } from "#platform/codes";
import { account, plain, playerAmount, walletWords } from "#platform/marks";
import { operator, route } from "#platform/route";

/** Maximum number of reasons listed for one payout state. `other_reasons` counts the rest. */
export const REASONS_MAX = 3;

export const payoutSum = z.object({
  payout_state: z.enum(PAYOUT_STATES),
  count: z.int(),
  amount: playerAmount(),
  /** For an open state: the time since which the oldest payout has this state. Null for a final state. */
  since: z.nullable(plain()),
  /** Why payouts were refused or closed, with the count of each reason, newest first. */
  reasons: z.array(
    z.object({
      /** Null if nobody gave a reason. */
      reason: z.nullable(walletWords()),
      count: z.int(),
      amount: playerAmount(),
    }),
  ),
  other_reasons: z.object({ count: z.int(), amount: playerAmount() }),
});
export type PayoutSum = z.output<typeof payoutSum>;

export const playerHead = z.object({
  player_id: account(),
  user_name: account(),
  blocked: z.boolean(),
  /** True if the player's data was erased; then id and account are placeholders. */
  erased: z.boolean(),
  /** Null if the player is not blocked, or was blocked before this time was recorded. */
  blocked_since: z.nullable(plain()),
  /** Active exclusions; the exclusion that lasts longest comes first. */
  exclusions: z.array(exclusion),
  draws: z.int(),
  /** Usable extra times of all groups. */
  left_times: z.int(),
  /** Only states that have payouts, in the order in which a payout passes through them. */
  payouts: z.array(payoutSum),
  /** Start of the payout stop; null if payouts are not stopped. */
  payouts_stopped_since: z.nullable(plain()),
  /**
   * The rounds that run now, in the order of `byInvolvement`. If no round runs, only the latest round that has started.
   */
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
    /** `as_of` is a past time: the answer shows what was known at the end of that second. */
    body: z.object({ user_name: typedAccount(), rounds_id: id(), as_of: z.optional(dateTime()) }),
    data: supportExplanation,
  }),
  named: route({
    call: "POST /gred/api/player/named",
    summary: "The players whom a typed reason or note names, as it would be kept",
    ...operator("player.read", "read"),
    body: z.object({ text: freeText(REASON_LENGTH_MAX) }),
    /**
     * Current accounts of the players, in text order. Without the permission `account.see` only accounts that
     * the text itself contains.
     */
    data: z.object({ user_names: z.array(account()) }),
  }),
};
