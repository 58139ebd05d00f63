/** The rounds that ended in a month, for finance to close together (behaviour §6). */
import * as z from "zod/mini";
import { id } from "#platform/fields";
import { houseMoney, plain } from "#platform/marks";
import { operator, route } from "#platform/route";
import { SHEET_LINES, statement } from "./sheet.ts";

/** Most sheets in one call, more than a month has rounds. */
export const MONTH_SHEETS_MAX = 500;

const figure = z.object({ count: z.int(), amount: houseMoney() });

const sums = {
  drawn: figure,
  lines: z.record(z.enum(SHEET_LINES), figure),
  /** Pending, unknown or refused: what may still be paid or delivered. */
  open: figure,
  /** Paid minus listed by the wallet's statements. */
  difference: figure,
};

const monthRound = z.object({
  rounds_id: z.int(),
  rounds_name: plain(),
  start_time: plain(),
  end_time: plain(),
  ...sums,
  /** Null: never compared with the wallet. */
  difference: z.nullable(figure),
  /** As on its sheet: whether the statements cover everything paid. */
  covered: z.boolean(),
  open_breaks: z.int(),
  statement,
  /** Hash of the sheet's figures. */
  hash: plain(),
  /** Why the sheet cannot be signed yet, or not by the caller; null: it can. */
  not_ready: z.nullable(plain()),
  /** The last signature. `is_current`: the figures are still the signed ones. */
  signed: z.nullable(z.object({ by: plain(), at: plain(), is_current: z.boolean() })),
});
export type MonthRound = z.output<typeof monthRound>;

const month = z.object({
  /** The month asked for; else the latest with an unsigned round, else the latest with rounds, else last month. */
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
  /** Rounds that were left out, and why. */
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
