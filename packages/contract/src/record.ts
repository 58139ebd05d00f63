/** Record = one draw and its payout (spec §2–§5; behaviour §3, §6, §11). */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { amount, dateTime, filterText, id, numberCode, paging } from "./fields.ts";
import { IDS_PER_CALL_MAX, PAGE_SIZE_MAX } from "./limits.ts";
import { PAYOUT_STATES } from "./lookups.ts";
import { route } from "./route.ts";

export const record = z.object({
  log_id: z.int(),
  player_id: z.string(),
  user_name: z.string(),
  award_name: z.string(),
  award_price: z.string(),
  type: z.enum(["physical", "virtual"]),
  award_status: z.literal([0, 1, 2]),
  payout_state: z.enum(PAYOUT_STATES),
  fail_reason: z.nullable(z.string()),
  rounds_id: z.int(),
  rounds_name: z.string(),
  trans_sn: z.string(),
  turnover: z.int(),
  created_at: z.string(),
  paid_at: z.nullable(z.string()),
  wallet_ref: z.nullable(z.string()),
  attempts: z.int(),
  /** 1 for the player's first draw in the round. */
  draw_no: z.int(),
  /** The extra time that was used; null when the chance was earned. */
  extra_time_id: z.nullable(z.int()),
  rule_version: z.int(),
  pool_version: z.int(),
  ticket: z.int(),
  /** Decides among what is left when the ticket's prize and every guaranteed one are gone. */
  fallback_ticket: z.nullable(z.int()),
  /** Ids of the prizes that had no stock at that moment. */
  exhausted: z.array(z.int()),
});
export type DrawRecord = z.output<typeof record>;

export const recordFilter = z.object({
  user_name: z.optional(filterText()),
  award_name: z.optional(filterText()),
  award_price: z.optional(amount("not_an_amount")),
  award_status: z.optional(numberCode([0, 1, 2])),
  rounds_id: z.optional(id()),
  start_time: z.optional(dateTime()),
  end_time: z.optional(dateTime()),
  ...paging(PAGE_SIZE_MAX),
});

/** Count and money of the matches per dispatch status. */
export const recordSum = z.object({
  award_status: z.literal([0, 1, 2]),
  count: z.int(),
  amount: z.string(),
});

/** Ids as an array, or as a comma list, as the older client sends them. */
const idList = z.union(
  [
    z
      .array(id())
      .check(z.minLength(1, "choose_records"), z.maxLength(IDS_PER_CALL_MAX, "too_many|max=10000")),
    z.pipe(
      z.pipe(
        z.string().check(z.regex(/^\d+(,\d+)*$/, "choose_records")),
        z.transform((list: string): (string | number)[] => list.split(",")),
      ),
      z.array(id()).check(z.maxLength(IDS_PER_CALL_MAX, "too_many|max=10000")),
    ),
  ],
  { error: "choose_records" },
);

/** One attempt at a payout: when, by whom, what was asked and answered. */
export const payoutAttempt = z.object({
  no: z.int(),
  kind: z.enum(["pay", "query", "callback"]),
  at: z.string(),
  duration_ms: z.nullable(z.int()),
  operator: z.nullable(z.string()),
  outcome: z.string(),
  http_status: z.nullable(z.int()),
  request: z.nullable(z.string()),
  answer: z.nullable(z.string()),
});
export type PayoutAttempt = z.output<typeof payoutAttempt>;

export const recordRoutes = {
  list: route({
    method: "GET",
    path: "/gred/api/record/list",
    summary: "Distribution records, newest first, with count and money per status",
    auth: { by: "operator", permission: "record.read" },
    access: "read",
    query: recordFilter,
    data: z.extend(listOf(record), { sums: z.array(recordSum) }),
  }),
  attempts: route({
    method: "GET",
    path: "/gred/api/record/{id}/attempts",
    summary: "Every attempt at the payout of a record",
    auth: { by: "operator", permission: "record.read" },
    access: "read",
    params: z.object({ id: id() }),
    data: listOf(payoutAttempt),
  }),
  reissue: route({
    method: "POST",
    path: "/gred/api/record/reissue",
    summary: "Send refused payouts again, under the same number",
    auth: { by: "operator", permission: "record.pay" },
    access: "write",
    body: z.strictObject({ log_ids: z.optional(idList), log: z.optional(idList) }).check(
      z.refine((body) => body.log_ids !== undefined || body.log !== undefined, {
        error: "choose_records",
        path: ["log_ids"],
      }),
    ),
    data: z.object({
      reissued: z.int(),
      refused: z.array(z.object({ log_id: z.int(), reason: z.string() })),
    }),
  }),
};
