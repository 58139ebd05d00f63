/** A record is one draw and its payout (spec §2–§5; behaviour §3, §6, §11). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import {
  amount,
  byId,
  date,
  dateTime,
  fileFormat,
  filterText,
  id,
  keptNote,
  keptText,
  numberCode,
  paging,
  say,
  wholeNumber,
} from "#platform/fields";
import { IDS_PER_CALL_MAX, PAGE_SIZE_MAX } from "#platform/limits";
import { CHECK_REASONS, PAYOUT_STATES, PLATFORM_CODES } from "#platform/codes";
import type { PayoutState } from "#platform/codes";
import { account, marked, plain, playerAmount, walletWords, words } from "#platform/marks";
import { operator, route } from "#platform/route";
import type { TextKey } from "#platform/texts";

export const record = z.object({
  log_id: z.int(),
  player_id: account(),
  user_name: account(),
  award_name: plain(),
  award_price: playerAmount(),
  type: z.enum(["physical", "virtual"]),
  award_status: z.literal([0, 1, 2]),
  payout_state: z.enum(PAYOUT_STATES),
  fail_reason: z.nullable(walletWords()),
  /** Why somebody has to check the payout, or why an operator closed the payout without the wallet's response. */
  check_reason: z.nullable(z.enum(CHECK_REASONS)),
  /** Text by the operator who marked the prize as delivered or closed the payout. */
  note: z.nullable(words()),
  rounds_id: z.int(),
  rounds_name: plain(),
  trans_sn: plain(),
  turnover: z.int(),
  created_at: plain(),
  paid_at: z.nullable(plain()),
  /**
   * The time since which the outcome is unknown. Null if the outcome is known, or if nobody has asked the wallet yet.
   */
  unknown_since: z.nullable(plain()),
  /** True if the payout is queued and an active exclusion of the player stops it (behaviour §6). */
  held: z.boolean(),
  wallet_ref: z.nullable(words()),
  attempts: z.int(),
  /** 1 is the player's first draw in the round. */
  draw_no: z.int(),
  /** Null if the player earned the draw. */
  extra_time_id: z.nullable(z.int()),
  rule_version: z.int(),
  pool_version: z.int(),
  ticket: z.int(),
  /** Decides among the remaining prizes if the ticket's prize and all guaranteed prizes are out of stock. */
  fallback_ticket: z.nullable(z.int()),
  /** Ids of the prizes without stock at the moment of the draw. */
  exhausted: z.array(z.int()),
});
export type DrawRecord = z.output<typeof record>;

/** Accepts one or several payout states, separated by commas. */
function stateList() {
  const isState = (text: string): text is PayoutState => PAYOUT_STATES.some((one) => one === text);
  return z.pipe(
    z
      .string({ error: "not_a_text" })
      .check(z.refine((list) => list.split(",").every(isState), { error: "not_in_set" })),
    z.transform((list) => list.split(",").filter(isState)),
  );
}

const order = () => z.optional(z.enum(["newest", "oldest"], { error: "not_in_set" }));

/** Filters of records. Each filter for the round (id, name, start date) also works alone. */
const filterShape = {
  user_name: z.optional(filterText()),
  award_name: z.optional(filterText()),
  /** This filter needs the permission to see amounts of players. */
  award_price: z.optional(marked("amount", amount("not_an_amount"))),
  award_status: z.optional(numberCode([0, 1, 2])),
  rounds_id: z.optional(id()),
  rounds_name: z.optional(filterText()),
  /** The business day on which the round starts. */
  start_date: z.optional(date()),
  /** The condition window of the round. Both ends must match exactly. */
  achieve_start_time: z.optional(dateTime()),
  achieve_end_time: z.optional(dateTime()),
  start_time: z.optional(dateTime()),
  end_time: z.optional(dateTime()),
  /** Only players with a bet on this platform that the round counts (behaviour §11). */
  type: z.optional(numberCode(PLATFORM_CODES)),
  trans_sn: z.optional(filterText()),
  payout_state: z.optional(stateList()),
  /** Code of a drawn prize, one for each round, name and price. The counts of records use this code (behaviour §11). */
  drawn_prize: z.optional(id()),
};

export const recordFilter = z.object({
  ...filterShape,
  order: order(),
  ...paging(PAGE_SIZE_MAX),
});

/** The fields that bulk actions need: player, prize, amount, state. */
export const recordPick = z.pick(record, {
  log_id: true,
  user_name: true,
  award_name: true,
  award_price: true,
  payout_state: true,
});
export type RecordPick = z.output<typeof recordPick>;

/** An export covers one round. An xlsx sheet has at most a million rows; csv has no limit. */
export const recordExport = z.object({
  ...filterShape,
  rounds_id: wholeNumber(1, Number.MAX_SAFE_INTEGER, "enter_export_round"),
  order: order(),
  format: fileFormat(),
});

const recordStateSum = z.object({
  payout_state: z.enum(PAYOUT_STATES),
  count: z.int(),
  amount: playerAmount(),
});

export const recordSum = z.object({
  award_status: z.literal([0, 1, 2]),
  count: z.int(),
  amount: playerAmount(),
  /** Number of these records that are physical prizes waiting for delivery. */
  goods: z.int(),
});

/** Returns the number of ids in the input, if the input can be a list of ids. */
function idCount(input: unknown): number {
  const list = typeof input === "string" ? input.split(",") : input;
  return Array.isArray(list) ? list.length : 0;
}

const tooMany = say("too_many", { max: IDS_PER_CALL_MAX });

/** Makes the message for a value that is not a list of ids. The message is `missing` if there is no value. */
export function idListFault(missing: TextKey) {
  return ({ input }: { readonly input?: unknown }) => {
    if (idCount(input) > IDS_PER_CALL_MAX) {
      return tooMany;
    }
    const isEmpty = Array.isArray(input) && input.length === 0;
    const isNothing = input === undefined || input === null || input === "" || isEmpty;
    return isNothing ? missing : "not_id_list";
  };
}

/** Ids as an array; older clients send a text with commas. `missing` is the message if there are no ids. */
export function idList(missing: TextKey) {
  return z.union(
    [
      z.array(id()).check(z.minLength(1, missing), z.maxLength(IDS_PER_CALL_MAX, tooMany)),
      z.pipe(
        z.pipe(
          z.string().check(z.regex(/^\d+(,\d+)*$/, { error: idListFault(missing) })),
          z.transform((list: string): (string | number)[] => list.split(",")),
        ),
        z.array(id()).check(z.maxLength(IDS_PER_CALL_MAX, tooMany)),
      ),
    ],
    { error: idListFault(missing) },
  );
}

const reissueBody = z
  .strictObject({
    log_ids: z.optional(idList("choose_records")),
    log: z.optional(idList("choose_records")),
  })
  .check(
    z.refine((body) => body.log_ids !== undefined || body.log !== undefined, {
      error: "choose_records",
      path: ["log_ids"],
    }),
  );

const refused = z.array(z.object({ log_id: z.int(), reason: plain() }));

export const payoutAttempt = z.object({
  no: z.int(),
  kind: z.enum(["pay", "query", "callback", "statement"]),
  at: plain(),
  duration_ms: z.nullable(z.int()),
  operator: z.nullable(plain()),
  outcome: plain(),
  http_status: z.nullable(z.int()),
  request: z.nullable(words()),
  answer: z.nullable(words()),
});
export type PayoutAttempt = z.output<typeof payoutAttempt>;

export const recordRoutes = {
  list: route({
    call: "GET /gred/api/record/list",
    summary: "Distribution records, newest first, with count and money per status and payout state",
    ...operator("record.read", "read"),
    query: recordFilter,
    data: z.extend(listOf(record), {
      sums: z.array(recordSum),
      /** All payout states that occur. The payout state filter does not limit this list. */
      states: z.array(recordStateSum),
    }),
  }),
  ids: route({
    call: "GET /gred/api/record/ids",
    summary: `The newest ${IDS_PER_CALL_MAX} records that match, for doing something with all of them`,
    ...operator("record.read", "read"),
    query: z.object(filterShape),
    data: listOf(recordPick),
  }),
  attempts: route({
    call: "GET /gred/api/record/{id}/attempts",
    summary: "Every attempt at the payout of a record",
    ...operator("record.read", "read"),
    params: byId,
    data: listOf(payoutAttempt),
  }),
  reissue: route({
    call: "POST /gred/api/record/reissue",
    summary: "Send refused payouts again, under the same number",
    ...operator("record.pay", "write", "risk"),
    body: reissueBody,
    data: z.object({
      reissued: z.int(),
      /** Number of payouts whose first attempt is so old that the server first queries the wallet. */
      asked: z.int(),
      refused,
    }),
  }),
  ask: route({
    call: "PUT /gred/api/record/ask",
    summary: "Ask the wallet again about payouts that wait for people",
    ...operator("record.pay", "write", "risk"),
    body: z.strictObject({ log_ids: idList("choose_questions") }),
    data: z.object({ asked: z.int(), refused }),
  }),
  deliver: route({
    call: "PUT /gred/api/record/deliver",
    summary: "Mark physical prizes as handed over",
    ...operator("record.pay", "write", "risk"),
    body: z.strictObject({
      log_ids: idList("choose_deliveries"),
      note: keptNote(),
    }),
    data: z.object({ delivered: z.int(), refused }),
  }),
  close: route({
    call: "PUT /gred/api/record/close",
    summary:
      "Close payouts that were refused or wait for people and never can be paid, with a reason",
    ...operator("record.pay", "write", "risk"),
    body: z.strictObject({
      log_ids: idList("choose_closings"),
      reason: keptText("enter_close_reason"),
    }),
    data: z.object({ closed: z.int(), refused }),
  }),
  exportFile: route({
    call: "GET /gred/api/record/export",
    summary: "The records of a round as a file, newest first",
    ...operator("record.read", "download"),
    query: recordExport,
  }),
};
