/** An extra time gives a player one more draw in an activity group (spec §2; behaviour §3). */
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

export const takenBack = z.object({ at: plain(), by: plain(), reason: words() });

export const extraTime = z.object({
  id: z.int(),
  user_name: account(),
  tag: plain(),
  apply: z.literal([0, 1, 2]),
  expire_time: plain(),
  created_at: plain(),
  granted_by: plain(),
  /** The batch that granted this extra time; null for a grant to one player. */
  batch_id: z.nullable(z.int()),
  rounds_id: z.nullable(z.int()),
  rounds_name: z.nullable(plain()),
  /** Null if nobody took the extra time back. Otherwise the extra time does not count, and `apply` is 2. */
  taken_back: z.nullable(takenBack),
});
export type ExtraTime = z.output<typeof extraTime>;

/** The fields are in the order in which the specification checks them (spec §5). */
export const extraTimeCreate = z.strictObject({
  user_name: accountName(),
  tag: trimmedText("enter_times_group", NAME_LENGTH_MAX),
  expire_time: dateTime("choose_expiry"),
});

/**
 * `expire_times` contains the expiry of each account in list order. Null means that the account has no expiry
 * of its own.
 */
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
 * Asks what a grant to the list would do, without group and expiry. With a group, the response also names the
 * accounts that recently got an extra time in this group.
 */
export const extraTimesPreview = z
  .strictObject({
    ...accountList,
    tag: z.optional(trimmedText("enter_times_group", NAME_LENGTH_MAX)),
  })
  .check(expiryForEach());

/** Grants one extra time to each account. The response names the accounts left out. */
export const extraTimesGrant = z
  .strictObject({
    ...accountList,
    tag: trimmedText("enter_times_group", NAME_LENGTH_MAX),
    expire_time: dateTime("choose_expiry"),
    plan: z.optional(externalId()),
  })
  .check(expiryForEach());

/**
 * The number of accounts that get an extra time, and the accounts left out: unknown, repeated, with an expiry
 * in the past, blocked, or excluded.
 */
const grantOutcome = {
  granted: z.int(),
  unknown: z.array(account()),
  doubled: z.array(account()),
  expired: z.array(account()),
  blocked: z.array(account()),
  excluded: z.array(account()),
};

/**
 * Accounts that got an extra time in the group within GRANTED_BEFORE_HOURS, spelt as in the list. Time and
 * operator belong to the newest of these grants.
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
      /**
       * 1: the list of an account or a batch also contains extra times taken back. The list of all players
       * never contains them.
       */
      with_taken_back: z.optional(numberCode([0, 1])),
      ...paging(PAGE_SIZE_MAX),
    }),
    data: z.extend(listOf(extraTime), {
      /**
       * With `batch_id`: counts of the whole batch. Operators can take back the `unused` extra times,
       * including expired ones.
       */
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
    /** The call does not take back used extra times. */
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
      /** Null if no group was given or no account got an extra time. */
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
