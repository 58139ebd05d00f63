/** Messages to the platform about payouts, stock and rounds, and their delivery (behaviour §14). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { amountText, filterText, instantText, paging } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { plain } from "#platform/marks";
import { idList } from "#records/record";
import { operator, route } from "#platform/route";

export const WEBHOOK_TYPES = [
  "payout.succeeded",
  "payout.failed",
  "prize.low_stock",
  "activity.paused",
  "activity.resumed",
] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

function body<T extends WebhookType, D extends z.core.$ZodShape>(type: T, data: D) {
  return z.strictObject({
    type: z.literal(type),
    /** Time of the event, in UTC. */
    timestamp: instantText(),
    data: z.strictObject(data),
  });
}

const payout = {
  trans_sn: z.string(),
  log_id: z.int(),
  rounds_id: z.int(),
  player_id: z.string(),
  award_name: z.string(),
  amount: amountText(),
};
const paused = {
  rounds_id: z.int(),
  rounds_name: z.string(),
};

export const WEBHOOK_BODIES = {
  "payout.succeeded": body("payout.succeeded", { ...payout, state: z.enum(["paid", "delivered"]) }),
  "payout.failed": body("payout.failed", {
    ...payout,
    state: z.enum(["refused", "closed"]),
    /** The wallet's reason; null after the payout is sent again. */
    reason: z.nullable(z.string()),
  }),
  "prize.low_stock": body("prize.low_stock", {
    prize_id: z.int(),
    award_name: z.string(),
    pool_name: z.string(),
    /** Rounds that draw from the pool and have not ended. */
    rounds_ids: z.array(z.int()),
    remaining: z.int(),
    award_total: z.int(),
  }),
  "activity.paused": body("activity.paused", { ...paused, rounds_status: z.literal(0) }),
  "activity.resumed": body("activity.resumed", { ...paused, rounds_status: z.literal(1) }),
} as const satisfies Readonly<Record<WebhookType, z.ZodMiniType>>;

export const WEBHOOK_STATES = ["waiting", "delivered", "given_up"] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

const webhookMessage = z.object({
  id: z.int(),
  /** The header `webhook-id` contains this id. */
  message_id: plain(),
  type: z.enum(WEBHOOK_TYPES),
  /** The trans_sn of a payout, otherwise the name of the prize or round. */
  about: plain(),
  created_at: plain(),
  state: z.enum(WEBHOOK_STATES),
  attempts: z.int(),
  /** Result of the last attempt, such as `status 500` or `timeout`; null before the first attempt. */
  answer: z.nullable(plain()),
  /** Time at which the message was delivered, or the server gave up. */
  ended_at: z.nullable(plain()),
  /** Time of the next attempt; null if the message is not waiting. */
  next_at: z.nullable(plain()),
});
export type WebhookMessage = z.output<typeof webhookMessage>;

export const webhookRoutes = {
  list: route({
    call: "GET /gred/api/webhook",
    summary: "Messages to the platform, newest first, and where they go",
    ...operator("webhook.manage", "read"),
    query: z.object({
      state: z.optional(z.enum(WEBHOOK_STATES, { error: "not_in_set" })),
      type: z.optional(z.enum(WEBHOOK_TYPES, { error: "not_in_set" })),
      trans_sn: z.optional(filterText()),
      ...paging(PAGE_SIZE_MAX),
    }),
    data: z.extend(listOf(webhookMessage), {
      /** Host name of the webhook address; null if no address is set. */
      host: z.nullable(plain()),
      /** Null if the address accepts messages. */
      failing_since: z.nullable(plain()),
      /** The last response of a failing address, in the form of `answer` of a message. */
      failing_answer: z.nullable(plain()),
      /** Time of the next retry for a failing address; null if no message waits. */
      next_try_at: z.nullable(plain()),
      /** Number of all waiting messages. The filter does not limit this number. */
      waiting: z.int(),
    }),
  }),
  redeliver: route({
    call: "PUT /gred/api/webhook/redeliver",
    summary: "Send messages again at once, under their ids",
    ...operator("webhook.manage", "write", "risk"),
    body: z.strictObject({ ids: idList("choose_messages") }),
  }),
};
