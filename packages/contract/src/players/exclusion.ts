/** An exclusion stops a player from drawing until a time, or without end (behaviour §3). */
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
  /** Null means no end. */
  until: z.nullable(plain()),
  made_by: plain(),
  made_at: plain(),
  lifted_by: z.nullable(plain()),
  lifted_at: z.nullable(plain()),
  lift_reason: z.nullable(words()),
  in_force: z.boolean(),
});
export type Exclusion = z.output<typeof exclusion>;

/** Column headers of the file. The field names are valid headers too. */
export const EXCLUSION_FILE_LABELS = {
  user_name: "账号",
  kind: "类型",
  reason: "原因",
  until: "截止时间",
} as const;

/** A cooling-off always has an end. */
export function mayBeEndless(kind: ExclusionKind | undefined): boolean {
  return kind !== "cooling_off";
}

const row = z.strictObject({
  user_name: accountName(),
  kind: z.enum(EXCLUSION_KINDS, { error: "choose_exclusion_kind" }),
  reason: keptText("enter_reason"),
  /** Null means no end. */
  until: z._default(z.nullable(marked("plain", dateTime())), null),
  /** Replaces `until`: the exclusion ends this number of hours after the change, by the database's clock. */
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

/** A row in a response: `until` contains the end computed from the hours. */
const answeredRow = z.omit(row, { hours: true });

const max = EXTRA_TIMES_PER_CALL_MAX;
const rows = z
  .array(exclusionRow, { error: "enter_account" })
  .check(z.minLength(1, "enter_account"), z.maxLength(max, `too_many|max=${max}`));

/** Maximum length of `first`. */
export const EXCLUSIONS_SHOWN_MAX = 4;

/** The new exclusions, and the accounts left out. */
const outcome = z.object({
  excluded: z.int(),
  /** Number of exclusions by kind. An account may get several kinds. */
  kinds: z.array(z.object({ kind: z.enum(EXCLUSION_KINDS), count: z.int() })),
  endless: z.int(),
  /** Number of accounts whose queued payouts these exclusions stop (behaviour §6). */
  held: z.int(),
  /** The first exclusions after parsing, so that operators can notice a misread time. */
  first: z.array(answeredRow),
  unknown: z.array(account()),
  /** Accounts with several rows of one kind; the row that lasts longer counts. */
  doubled: z.array(account()),
  /** Accounts already excluded for the same kind and for at least the same time. */
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
      /** If there are errors, there are no rows. The header is row 1. */
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
