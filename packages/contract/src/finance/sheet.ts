/** The sheet of a round shows whether its figures agree, and who signed it (behaviour §6). */
import * as z from "zod/mini";
import { byId, fileFormat, keptNote } from "#platform/fields";
import { PAYOUT_STATES } from "#platform/codes";
import type { PayoutState } from "#platform/codes";
import { account, houseMoney, plain, playerAmount, walletWords, words } from "#platform/marks";
import { operator, route } from "#platform/route";

/** Outcomes of drawn prizes. All lines add up to `drawn`, in count and in money. */
export const SHEET_LINES = [
  "paid",
  "pending",
  "unknown",
  "refused",
  "closed",
  "delivered",
] as const;
export type SheetLine = (typeof SHEET_LINES)[number];

export const LINE_OF_STATE = {
  queued: "pending",
  sending: "pending",
  waiting_delivery: "pending",
  unknown: "unknown",
  check: "unknown",
  paid: "paid",
  delivered: "delivered",
  refused: "refused",
  closed: "closed",
} as const satisfies Record<PayoutState, SheetLine>;

/** Maximum number of exceptions in the list of a sheet. `total` counts all of them. */
export const SHEET_EXCEPTIONS_MAX = 500;

const figure = z.object({ count: z.int(), amount: houseMoney() });

const sheetPrize = z.object({
  prize_id: z.int(),
  award_name: plain(),
  award_price: houseMoney(),
  drawn: figure,
  lines: z.record(z.enum(SHEET_LINES), figure),
});

const sheetException = z.object({
  log_id: z.int(),
  user_name: account(),
  award_name: plain(),
  amount: playerAmount(),
  trans_sn: plain(),
  payout_state: z.enum(PAYOUT_STATES),
  reason: z.nullable(walletWords()),
  created_at: plain(),
});

/** The signed figures; the hash covers all of them. */
const figures = {
  rounds_id: z.int(),
  rounds_name: plain(),
  start_time: plain(),
  end_time: plain(),
  drawn: figure,
  lines: z.record(z.enum(SHEET_LINES), figure),
  /** `drawn` minus all lines. The result is 0 unless somebody tampered with the database. */
  difference: figure,
  prizes: z.array(sheetPrize),
  wallet: z.object({
    /** Whether the statements cover everything paid for this round. */
    covered: z.boolean(),
    /** The entries of the statements for this round. */
    listed: figure,
    /** The paid amount minus the listed amount. */
    difference: figure,
    open_breaks: z.int(),
  }),
};

/** Facts about the statements. The signature does not cover them. */
export const statement = z.object({
  /**
   * The time until which the statements cover this round; null if there are no statements. This time is never
   * later than the fetch of a statement, because the wallet knew nothing newer then.
   */
  until: z.nullable(plain()),
  /** Payouts paid after `until` that no statement lists. */
  later: figure,
  /** Number of breaks that an operator accepted with a reason. */
  accepted_breaks: z.int(),
});

const signOff = z.object({
  no: z.int(),
  signed_by: plain(),
  signed_at: plain(),
  hash: plain(),
  note: z.nullable(words()),
  /** True if the signer had acted in the round and nobody else could sign. */
  is_alone: z.boolean(),
  /** True if the figures have not changed since the signature. */
  is_current: z.boolean(),
});

export const sheet = z.object({
  ...figures,
  statement,
  hash: plain(),
  /** Why the caller cannot sign the sheet yet; null if the caller can. */
  not_ready: z.nullable(plain()),
  exceptions: z.object({ content: z.array(sheetException), total: z.int() }),
  sign_offs: z.array(signOff),
});
export type Sheet = z.output<typeof sheet>;
export type SheetFigures = Pick<Sheet, keyof typeof figures>;

const [paid, pending, ...others] = SHEET_LINES;
/** The figures in display order. Sheet and files show physical prizes to deliver apart from payouts to pay. */
export const SHOWN_FIGURES = ["drawn", paid, pending, "to_deliver", ...others] as const;

/** Returns the shown figures, added up over these prizes. Only physical prizes have the price 0. */
export function shownFigures(of: Pick<SheetFigures, "drawn" | "lines" | "prizes">) {
  const { drawn, lines, prizes } = of;
  const goods = prizes.filter(({ award_price }) => award_price === "0.00");
  const count = goods.reduce((sum, prize) => sum + prize.lines.pending.count, 0);
  const toPay = { ...lines.pending, count: lines.pending.count - count };
  const all = { ...lines, drawn, pending: toPay, to_deliver: { count, amount: "0.00" } };
  return SHOWN_FIGURES.map((name) => ({ name, ...all[name] }));
}

export const sheetRoutes = {
  detail: route({
    call: "GET /gred/api/act/{id}/sheet",
    summary: "How a round ties out: drawn, paid, pending, unknown, refused, closed, delivered",
    ...operator("record.read", "read"),
    params: byId,
    data: sheet,
  }),
  sign: route({
    call: "POST /gred/api/act/{id}/sheet/sign",
    summary: "Sign the figures off",
    ...operator("sheet.sign", "write", "code"),
    params: byId,
    body: z.strictObject({
      /** Hash of the figures that the operator saw. */
      hash: z.string({ error: "not_a_text" }).check(z.regex(/^[0-9a-f]{64}$/, "not_in_set")),
      note: keptNote(),
    }),
  }),
  exportFile: route({
    call: "GET /gred/api/act/{id}/sheet/export",
    summary: "The sheet of a round as a file for finance",
    ...operator("record.read", "download"),
    params: byId,
    query: z.object({
      format: fileFormat(),
    }),
  }),
};
