/** Reconciliation compares our payouts and the wallet's statement in both directions (behaviour §6). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { dateTime, id, keptText, numberCode, paging, ruleOver } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { PAYOUT_STATES } from "#platform/codes";
import { account, marked, plain, playerAmount, words } from "#platform/marks";
import { idList } from "#records/record";
import { operator, route } from "#platform/route";

/**
 * Kinds of differences. `missing`: we count the payout as paid, but the statement does not list it. `extra`: the
 * statement lists a payout that we do not know, or lists it twice. `wrong_amount`, `wrong_player`: both sides list the
 * payout with different values. `stale_status`: the wallet has paid, but we do not count the payout as paid.
 */
export const BREAK_KINDS = [
  "missing",
  "extra",
  "wrong_amount",
  "wrong_player",
  "stale_status",
] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/**
 * How a break ends. `adopted`: we took over the wallet's result. `accepted`: an operator explained the break.
 * `resolved`: a later reconciliation no longer found it.
 */
export const BREAK_ENDS = ["adopted", "accepted", "resolved"] as const;
export type BreakEnd = (typeof BREAK_ENDS)[number];

export const reconciliation = z.object({
  id: z.int(),
  from: plain(),
  to: plain(),
  source: z.enum(["call", "file"]),
  file_name: z.nullable(words()),
  made_by: plain(),
  made_at: plain(),
  statement_count: z.int(),
  statement_amount: playerAmount(),
  /** Number of entries that are equal on both sides. */
  matched: z.int(),
  breaks: z.int(),
  open: z.int(),
});
export type Reconciliation = z.output<typeof reconciliation>;

/**
 * A number from a statement. Our own numbers need no mask, because they never name a player. A statement may
 * also list any other text as a number.
 */
const listedNumber = z.union([
  marked("plain", z.string().check(z.regex(/^[\da-f]{32}$/))),
  words(),
]);

export const reconciliationBreak = z.object({
  id: z.int(),
  reconciliation_id: z.int(),
  kind: z.enum(BREAK_KINDS),
  trans_sn: listedNumber,
  log_id: z.nullable(z.int()),
  rounds_id: z.nullable(z.int()),
  our_state: z.nullable(z.enum(PAYOUT_STATES)),
  our_amount: z.nullable(playerAmount()),
  our_player_id: z.nullable(account()),
  their_amount: z.nullable(playerAmount()),
  their_player_id: z.nullable(account()),
  their_paid_at: z.nullable(plain()),
  end: z.nullable(z.enum(BREAK_ENDS)),
  ended_by: z.nullable(plain()),
  ended_at: z.nullable(plain()),
  reason: z.nullable(words()),
});
export type ReconciliationBreak = z.output<typeof reconciliationBreak>;

const span = { from: dateTime("choose_date_time"), to: dateTime("choose_date_time") };

const inOrder = ruleOver<Readonly<Record<"from" | "to", string>>>(
  "end_after_start",
  ["from", "to"],
  ({ from, to }) => from <= to,
);

/** The time window includes the whole second of `to`. */
export const reconciliationSpan = z.strictObject(span).check(inOrder);

export const reconciliationUpload = z.object(span).check(inOrder);

const made = z.object({ id: z.int(), breaks: z.int() });

export const breakFilter = z.object({
  reconciliation_id: z.optional(id()),
  rounds_id: z.optional(id()),
  kind: z.optional(z.enum(BREAK_KINDS, { error: "not_in_set" })),
  /** 1: only open breaks. 0: only ended breaks. */
  open: z.optional(numberCode([0, 1])),
  ...paging(PAGE_SIZE_MAX),
});

/** Count and money of one kind of break. The money uses the wallet's amount if the wallet gives an amount. */
export const breakSum = z.object({
  kind: z.enum(BREAK_KINDS),
  count: z.int(),
  amount: playerAmount(),
});

const READS_STATEMENT = { none: "what it finds is mended by a call that takes a proof" } as const;

export const reconciliationRoutes = {
  list: route({
    call: "GET /gred/api/reconciliation",
    summary: "Reconciliations with the wallet's statement, newest first",
    ...operator("record.read", "read"),
    query: z.object(paging(PAGE_SIZE_MAX)),
    data: listOf(reconciliation),
  }),
  run: route({
    call: "POST /gred/api/reconciliation",
    summary: "Ask the wallet for its statement of a span and compare both ways",
    ...operator("record.pay", "own", READS_STATEMENT),
    body: reconciliationSpan,
    data: made,
  }),
  upload: route({
    call: "POST /gred/api/reconciliation/upload",
    summary: "Compare with a statement that is uploaded as a csv, xlsx or xls file",
    ...operator("record.pay", "upload", READS_STATEMENT),
    data: made,
  }),
  breaks: route({
    call: "GET /gred/api/reconciliation/breaks",
    summary: "What differs between the wallet's statement and our payouts",
    ...operator("record.read", "read"),
    query: breakFilter,
    data: z.extend(listOf(reconciliationBreak), { sums: z.array(breakSum) }),
  }),
  mend: route({
    call: "PUT /gred/api/reconciliation/breaks",
    summary: "End breaks with a reason: adopt what the wallet says it has paid, or accept them",
    ...operator("record.pay", "write", "risk"),
    body: z.strictObject({
      ids: idList("choose_breaks"),
      end: z.enum(["adopted", "accepted"], { error: "not_in_set" }),
      reason: keptText("enter_mend_reason"),
    }),
    data: z.object({
      ended: z.int(),
      refused: z.array(z.object({ id: z.int(), reason: plain() })),
    }),
  }),
};
