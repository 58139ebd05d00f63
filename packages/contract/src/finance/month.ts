/** The rounds that ended in a month, so that finance can close them together (behaviour §6). */
import * as z from "zod/mini";
import { id } from "#platform/fields";
import { houseMoney, plain } from "#platform/marks";
import { operator, route } from "#platform/route";
import { SHEET_LINES, statement } from "./sheet.ts";

/** Maximum number of sheets in one call; a month has fewer rounds. */
export const MONTH_SHEETS_MAX = 500;

const figure = z.object({ count: z.int(), amount: houseMoney() });

const sums = {
  drawn: figure,
  lines: z.record(z.enum(SHEET_LINES), figure),
  /** Pending, unknown or refused payouts: the wallet may still pay them, or people may still deliver them. */
  open: figure,
  /** The paid amount minus the amount in the wallet's statements. */
  difference: figure,
};

const monthRound = z.object({
  rounds_id: z.int(),
  rounds_name: plain(),
  start_time: plain(),
  end_time: plain(),
  ...sums,
  /** Null if the round was never compared with the wallet. */
  difference: z.nullable(figure),
  /** Whether the statements cover everything paid, as on the sheet of the round. */
  covered: z.boolean(),
  open_breaks: z.int(),
  statement,
  /** Hash of the figures of the sheet. */
  hash: plain(),
  /** Why the caller cannot sign the sheet yet; null if the caller can. */
  not_ready: z.nullable(plain()),
  /** The last signature. `is_current` is true if the figures have not changed since the signature. */
  signed: z.nullable(z.object({ by: plain(), at: plain(), is_current: z.boolean() })),
});
export type MonthRound = z.output<typeof monthRound>;

const month = z.object({
  /**
   * The requested month. By default the latest month with an unsigned round, then the latest month with
   * rounds, then last month.
   */
  month: plain(),
  /** Months in which rounds have ended, newest first. */
  with_rounds: z.array(plain()),
  rounds: z.array(monthRound),
  total: z.object(sums),
});
export type Month = z.output<typeof month>;

/** A calendar month of the business time zone, `yyyy-MM`. */
const monthText = () =>
  z
    .string({ error: "choose_month" })
    .check(z.regex(/^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])$/, "choose_month"));

const byMonth = z.object({ month: monthText() });

const signed = z.object({
  signed: z.int(),
  /** The rounds that the call did not sign, each with the reason. */
  refused: z.array(z.object({ rounds_id: z.int(), msg: plain() })),
});

export const monthRoutes = {
  detail: route({
    call: "GET /gred/api/month",
    summary: "The rounds that ended in a month, with their sheets' figures and signatures",
    ...operator("record.read", "read"),
    query: z.object({ month: z.optional(monthText()) }),
    data: month,
  }),
  sign: route({
    call: "POST /gred/api/month/sign",
    summary: "Sign several sheets with one code; one that has changed meanwhile is left out",
    ...operator("sheet.sign", "write", "code"),
    body: z.strictObject({
      sheets: z
        .array(
          z.strictObject({
            rounds_id: id(),
            /** Hash of the figures that the operator saw. */
            hash: z.string({ error: "not_a_text" }).check(z.regex(/^[0-9a-f]{64}$/, "not_in_set")),
          }),
        )
        .check(z.minLength(1, "choose_sheets"), z.maxLength(MONTH_SHEETS_MAX, "choose_sheets")),
    }),
    data: signed,
  }),
  exportFile: route({
    call: "GET /gred/api/month/export",
    summary: "The month as one workbook for finance: month, rounds, prizes, exceptions",
    ...operator("record.read", "download"),
    query: byMonth,
  }),
};
