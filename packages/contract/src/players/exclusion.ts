/** Exclusions: players who may not draw until a time, or without end (behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import {
  accountName,
  byId,
  dateTime,
  filterText,
  keptText,
  paging,
  ruleOver,
  wholeNumber,
} from "#platform/fields";
import { EXCLUSION_HOURS_MAX, EXTRA_TIMES_PER_CALL_MAX, PAGE_SIZE_MAX } from "#platform/limits";
import { EXCLUSION_KINDS } from "#platform/codes";
import type { ExclusionKind } from "#platform/codes";
import { account, marked, plain, words } from "#platform/marks";
import { operator, route } from "#platform/route";

export const exclusion = z.object({
  id: z.int(),
  user_name: account(),
  kind: z.enum(EXCLUSION_KINDS),
  reason: words(),
  source: z.enum(["operator", "file"]),
  /** Null: without end. */
  until: z.nullable(plain()),
  made_by: plain(),
  made_at: plain(),
  lifted_by: z.nullable(plain()),
  lifted_at: z.nullable(plain()),
  lift_reason: z.nullable(words()),
  in_force: z.boolean(),
});
export type Exclusion = z.output<typeof exclusion>;

/** Headers of the columns of a file; the field names are accepted too. */
export const EXCLUSION_FILE_LABELS = {
  user_name: "账号",
  kind: "类型",
  reason: "原因",
  until: "截止时间",
} as const;

/** Cooling off always ends. */
export function mayBeEndless(kind: ExclusionKind | undefined): boolean {
  return kind !== "cooling_off";
}

const row = z.strictObject({
  user_name: accountName(),
  kind: z.enum(EXCLUSION_KINDS, { error: "choose_exclusion_kind" }),
  reason: keptText("enter_reason"),
  /** Null: without end. */
  until: z._default(z.nullable(marked("plain", dateTime())), null),
  /** In place of `until`: it ends so many hours after the act, by the database's clock. */
  hours: z.optional(wholeNumber(1, EXCLUSION_HOURS_MAX)),
});
export const exclusionRow = row.check(
  ruleOver<z.output<typeof row>>(
    "cooling_off_ends",
    ["kind", "until"],
    ({ kind, until, hours }) => (until ?? hours ?? null) !== null || mayBeEndless(kind),
  ),
  ruleOver<z.output<typeof row>>("until_or_hours", ["until", "hours"], ({ until, hours }) => {
    return until === null || hours === undefined;
  }),
);
export type ExclusionRow = z.output<typeof exclusionRow>;

/** A row in an answer: `until` holds the end that follows from the hours. */
const answeredRow = z.omit(row, { hours: true });

const max = EXTRA_TIMES_PER_CALL_MAX;
const rows = z
  .array(exclusionRow, { error: "enter_account" })
  .check(z.minLength(1, "enter_account"), z.maxLength(max, `too_many|max=${max}`));

/** Length of `first`. */
export const EXCLUSIONS_SHOWN_MAX = 4;

/** Exclusions that are made, and accounts that are left out. */
const outcome = z.object({
  excluded: z.int(),
  /** Exclusions by kind; an account may get several kinds. */
  kinds: z.array(z.object({ kind: z.enum(EXCLUSION_KINDS), count: z.int() })),
  /** Exclusions without end. */
  endless: z.int(),
  /** Accounts with queued payouts, which these exclusions hold (behaviour §6). */
  held: z.int(),
  /** The first exclusions as they were read, so that a misread time is noticed. */
  first: z.array(answeredRow),
  unknown: z.array(account()),
  /** Repeated for one kind; the row with the longer term counts. */
  doubled: z.array(account()),
  /** Excluded already for the same kind, and at least as long. */
  already: z.array(account()),
});
export type ExclusionOutcome = z.output<typeof outcome>;

export const exclusionRoutes = {
  list: route({
    call: "GET /gred/api/exclusion",
    summary: "Exclusions, newest first",
    ...operator("player.read", "read"),
    query: z.object({
      user_name: z.optional(filterText()),
      kind: z.optional(z.enum(EXCLUSION_KINDS, { error: "not_in_set" })),
      state: z.optional(z.enum(["in_force", "ended"], { error: "not_in_set" })),
      ...paging(PAGE_SIZE_MAX),
    }),
    data: listOf(exclusion),
  }),
  preview: route({
    call: "POST /gred/api/exclusion/preview",
    summary: "What excluding the same accounts would do",
    ...operator("player.exclude", "read"),
    body: z.strictObject({ rows }),
    data: outcome,
  }),
  file: route({
    call: "POST /gred/api/exclusion/file",
    summary: "The rows of a csv, xlsx or xls file, or all its faults; nobody is excluded",
    ...operator("player.exclude", "upload", { none: "changes nothing" }),
    data: z.object({
      rows: z.array(answeredRow),
      /** With faults there are no rows; the header is row 1. */
      faults: z.array(z.object({ row: z.int(), msg: plain() })),
    }),
  }),
  create: route({
    call: "POST /gred/api/exclusion",
    summary: "Exclude players from drawing; accounts that are left out are named",
    ...operator("player.exclude", "write", { none: "stopping is never held up" }),
    body: z.strictObject({
      rows,
      source: z._default(z.enum(["operator", "file"], { error: "not_in_set" }), "operator"),
    }),
    data: outcome,
  }),
  lift: route({
    call: "PUT /gred/api/exclusion/{id}/lift",
    summary: "End an exclusion; others of the player stay in force",
    ...operator("player.exclude", "write", "risk"),
    params: byId,
    body: z.strictObject({ reason: keptText("enter_reason") }),
  }),
};
