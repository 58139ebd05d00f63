/** Extra times: one row is one more draw of a player in an activity group (spec §2; behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import {
  accountName,
  dateTime,
  externalId,
  filterText,
  id,
  keptText,
  numberCode,
  paging,
  ruleOver,
  trimmedText,
} from "#platform/fields";
import { EXTRA_TIMES_PER_CALL_MAX, NAME_LENGTH_MAX, PAGE_SIZE_MAX } from "#platform/limits";
import { account, plain, words } from "#platform/marks";
import { operator, route } from "#platform/route";

/** When, by whom and why. */
export const takenBack = z.object({ at: plain(), by: plain(), reason: words() });

export const extraTime = z.object({
  id: z.int(),
  user_name: account(),
  tag: plain(),
  apply: z.literal([0, 1, 2]),
  expire_time: plain(),
  created_at: plain(),
  granted_by: plain(),
  /** The grant to many that made it; null: a grant to one player. */
  batch_id: z.nullable(z.int()),
  rounds_id: z.nullable(z.int()),
  rounds_name: z.nullable(plain()),
  /** Null: not taken back. Otherwise it no longer counts, and `apply` is 2. */
  taken_back: z.nullable(takenBack),
});
export type ExtraTime = z.output<typeof extraTime>;

/** The fields of the form, in the order of the specification's checks (spec §5). */
export const extraTimeCreate = z.strictObject({
  user_name: accountName(),
  tag: trimmedText("enter_times_group", NAME_LENGTH_MAX),
  expire_time: dateTime("choose_expiry"),
});

/** `expire_times` holds each account's own expiry in the same order; null: no own expiry. */
const accountList = {
  user_names: z
    .array(accountName(), { error: "enter_account" })
    .check(
      z.minLength(1, "enter_account"),
      z.maxLength(EXTRA_TIMES_PER_CALL_MAX, `too_many|max=${EXTRA_TIMES_PER_CALL_MAX}`),
    ),
  expire_times: z.optional(
    z.array(z.nullable(dateTime("choose_expiry")), { error: "expiry_for_each" }),
  ),
};

const expiryForEach = () =>
  ruleOver<z.output<z.ZodMiniObject<typeof accountList>>>(
    "expiry_for_each",
    ["user_names", "expire_times"],
    ({ user_names, expire_times }) => (expire_times ?? user_names).length === user_names.length,
  );

/**
 * Asks what a grant to the list would do, without group and expiry. With a group the answer also names the accounts that
 * were granted one in it lately.
 */
export const extraTimesPreview = z
  .strictObject({
    ...accountList,
    tag: z.optional(trimmedText("enter_times_group", NAME_LENGTH_MAX)),
  })
  .check(expiryForEach());

/** Grants one extra time to each account; the answer names the accounts left out. */
export const extraTimesGrant = z
  .strictObject({
    ...accountList,
    tag: trimmedText("enter_times_group", NAME_LENGTH_MAX),
    expire_time: dateTime("choose_expiry"),
    plan: z.optional(externalId()),
  })
  .check(expiryForEach());

/** How many accounts get one, and which are left out: unknown, repeated, with an expiry in the past, blocked, excluded. */
const grantOutcome = {
  granted: z.int(),
  unknown: z.array(account()),
  doubled: z.array(account()),
  expired: z.array(account()),
  blocked: z.array(account()),
  excluded: z.array(account()),
};

/**
 * Accounts, spelt as in the list, that were granted one in the group within GRANTED_BEFORE_HOURS; time and operator of the
 * newest grant.
 */
const grantedBefore = z.object({
  user_names: z.array(account()),
  created_at: plain(),
  granted_by: plain(),
});

export const extraTimesRoutes = {
  list: route({
    call: "GET /gred/api/extratimes/list",
    summary: "Extra times, newest first",
    ...operator("player.read", "read"),
    query: z.object({
      user_name: z.optional(filterText()),
      batch_id: z.optional(id()),
      /** 1: lists those taken back too, of an account or a batch; the list of all never has them. */
      with_taken_back: z.optional(numberCode([0, 1])),
      ...paging(PAGE_SIZE_MAX),
    }),
    data: z.extend(listOf(extraTime), {
      /** With `batch_id`: counts of the whole batch; `unused` ones can be taken back, expired ones too. */
      batch: z.optional(z.object({ unused: z.int(), used: z.int(), taken_back: z.int() })),
    }),
  }),
  create: route({
    call: "POST /gred/api/extratimes",
    summary: "Grant one extra time to a known player",
    ...operator("player.grant", "write", "risk"),
    body: extraTimeCreate,
  }),
  grant: route({
    call: "POST /gred/api/extratimes/grant",
    summary: "Grant one extra time to each of many players; accounts that are left out are named",
    ...operator("player.grant", "write", "risk"),
    body: extraTimesGrant,
    data: z.object({ ...grantOutcome, batch_id: z.nullable(z.int()) }),
  }),
  takeBack: route({
    call: "PUT /gred/api/extratimes/takeback",
    summary: "Take back one unused extra time, or the unused ones of a grant to many",
    ...operator("player.grant", "write", "risk"),
    body: z
      .strictObject({
        id: z.optional(id()),
        batch_id: z.optional(id()),
        reason: keptText("enter_reason"),
      })
      .check(
        ruleOver("choose_grant", ["batch_id", "id"], ({ id, batch_id }) => {
          return (id === undefined) !== (batch_id === undefined);
        }),
      ),
    /** Used ones stay. */
    data: z.object({ taken_back: z.int(), used: z.int() }),
  }),
  preview: route({
    call: "POST /gred/api/extratimes/grant/preview",
    summary:
      "What a grant to the same accounts would do, and which had one of the group lately; `plan` names it for the grant",
    ...operator("player.grant", "read"),
    body: extraTimesPreview,
    data: z.object({
      ...grantOutcome,
      plan: plain(),
      /** Null without a group, and when no account was granted one. */
      granted_before: z.nullable(grantedBefore),
    }),
  }),
  accounts: route({
    call: "POST /gred/api/extratimes/accounts",
    summary: "The accounts of a csv, xlsx, xls or text file, a line for each; nothing is granted",
    ...operator("player.grant", "upload", { none: "changes nothing" }),
    data: z.object({ lines: z.array(account()) }),
  }),
  total: route({
    call: "GET /gred/api/extratimes/total",
    summary: "How many extra times of a player can still be used",
    ...operator("player.read", "read"),
    query: z.object({ user_name: trimmedText("enter_search_account", NAME_LENGTH_MAX) }),
    data: z.object({ left_times: z.int() }),
  }),
};
