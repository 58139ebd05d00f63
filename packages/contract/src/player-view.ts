/** What support asks about one player: who it is, why no draw, where the money is (behaviour §4, §6). */
import * as z from "zod/mini";
import { explanation, standing } from "./explanation.ts";
import { id, trimmedText } from "./fields.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { PAYOUT_STATES } from "./lookups.ts";
import { route } from "./route.ts";

/** Players that a search answers at most. */
export const FOUND_PLAYERS_MAX = 20;

export const foundPlayer = z.object({
  player_id: z.string(),
  user_name: z.string(),
  blocked: z.boolean(),
});
export type FoundPlayer = z.output<typeof foundPlayer>;

/** Reasons that a state of payouts names at most; the rest is counted. */
export const REASONS_MAX = 3;

/** Count and money of a player's payouts in one state. */
export const payoutSum = z.object({
  payout_state: z.enum(PAYOUT_STATES),
  count: z.int(),
  amount: z.string(),
  /** Of what is still open: since when the oldest of them is so; null when it is done. */
  since: z.nullable(z.string()),
  /** Why they were refused or closed, each reason with what it was told of; the newest first. */
  reasons: z.array(
    z.object({
      /** Null: none was told. */
      reason: z.nullable(z.string()),
      count: z.int(),
      amount: z.string(),
    }),
  ),
  /** What was refused or closed for further reasons. */
  other_reasons: z.object({ count: z.int(), amount: z.string() }),
});
export type PayoutSum = z.output<typeof payoutSum>;

export const playerHead = z.object({
  player_id: z.string(),
  user_name: z.string(),
  blocked: z.boolean(),
  /** Null: not blocked, or blocked before that was written down. */
  blocked_since: z.nullable(z.string()),
  draws: z.int(),
  /** Extra times that can still be used, in all groups together. */
  left_times: z.int(),
  /** States that occur, in the order of a payout's life. */
  payouts: z.array(payoutSum),
  /** Since when no payout is sent to the wallet; null while they are. */
  payouts_stopped_since: z.nullable(z.string()),
  /** Rounds going on now, in the order of `byInvolvement`; without one the latest that has begun. */
  rounds: z.array(z.extend(standing, { is_current: z.boolean() })),
});
export type PlayerHead = z.output<typeof playerHead>;

const account = () => trimmedText("enter_search_account", NAME_LENGTH_MAX);

export const playerViewRoutes = {
  search: route({
    method: "POST",
    path: "/gred/api/player/search",
    summary: "Players whose account begins with a text, or whose player_id it is",
    auth: { by: "operator", permission: "player.read" },
    access: "read",
    body: z.object({ text: account() }),
    data: z.object({
      content: z.array(foundPlayer),
      /** There are more than are answered. */
      more: z.boolean(),
    }),
  }),
  head: route({
    method: "GET",
    path: "/gred/api/player/head",
    summary: "A player: block, draws, payouts by state, and why there is a draw or none just now",
    auth: { by: "operator", permission: "player.read" },
    access: "read",
    query: z.object({ user_name: account() }),
    data: playerHead,
  }),
  explain: route({
    method: "POST",
    path: "/gred/api/player/explain",
    summary: "Why a player has as many draws in a round: each deposit or bet, extra time and draw",
    auth: { by: "operator", permission: "player.read" },
    access: "read",
    body: z.object({ user_name: account(), rounds_id: id() }),
    data: explanation,
  }),
};
