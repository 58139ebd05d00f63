/** Changes that wait for the approval of a second operator (behaviour §16). */
import * as z from "zod/mini";
import { auditRow } from "#evidence/audit";
import { listOf } from "#platform/envelope";
import { byId, id, keptText, paging } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { houseMoney, plain, secret, words } from "#platform/marks";
import { ROLE_NAMES } from "#platform/permissions";
import { operator, route, unattended } from "#platform/route";

export const APPROVAL_HOURS = 24;
/** Number of days for which the list shows a decided change. */
export const APPROVAL_DAYS = 90;
/** Maximum number of waiting changes of one operator. */
export const APPROVALS_WAITING_MAX = 50;
/** Maximum number of changes approved with one code. */
export const APPROVALS_MAX = 50;

export const APPROVAL_STATES = [
  "waiting",
  "done",
  "refused",
  "withdrawn",
  /** Nobody approved or rejected the change within 24 hours. */
  "expired",
  /** The change did not run, because its result would differ from the approved plan. */
  "differs",
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The planned effect of the change: its audit rows. New ids are left out, because each run makes other ids. */
const planned = z.extend(
  z.pick(auditRow, {
    action: true,
    object_type: true,
    object_id: true,
    object_name: true,
    before: true,
    after: true,
  }),
  /** A digest of the players and records of this row, because an account may belong to another player later. */
  { about: z.nullable(plain()) },
);

export const approval = z.object({
  id: z.int(),
  state: z.enum(APPROVAL_STATES),
  made_kind: z.enum(["operator", "redctl"]),
  made_by: plain(),
  made_at: plain(),
  expires_at: plain(),
  reason: words(),
  risk: houseMoney(),
  /**
   * Decimal text: what else the operator of this change risked in the last 24 hours and since the last
   * approval, including their other waiting changes. Null unless this change is waiting.
   */
  risked: z.nullable(houseMoney()),
  plan: z.array(planned),
  decided_by: z.nullable(plain()),
  decided_at: z.nullable(plain()),
  /** The reason why the change was rejected or did not run. */
  note: z.nullable(words()),
  /** The reason why the caller may not approve the change; null if the caller may approve. */
  barred: z.nullable(z.enum(["own", "fresh"])),
});
export type Approval = z.output<typeof approval>;

export const approvalRoutes = {
  list: route({
    call: "GET /gred/api/approval",
    summary: "Changes that wait for a second person, or waited, newest first",
    ...operator("signed_in", "read"),
    query: z.object({
      state: z.optional(z.enum(APPROVAL_STATES, { error: "not_in_set" })),
      ...paging(PAGE_SIZE_MAX),
    }),
    data: listOf(approval),
  }),
  news: route({
    call: "GET /gred/api/approval/news",
    summary: "How many changes wait for the caller, which of theirs were decided, and their roles",
    ...unattended("signed_in", "read"),
    data: z.object({
      /** True when a threshold is on or a change waits. */
      on: z.boolean(),
      waiting: z.int(),
      /** The caller's roles: an open console uses them to notice that its roles changed. */
      roles: z.array(z.enum(ROLE_NAMES)),
      decided: z.array(z.pick(approval, { id: true, state: true, decided_by: true })),
    }),
  }),
  approve: route({
    call: "PUT /gred/api/approval/approve",
    summary: "Approve and run changes of others, all with one code; each runs or says why not",
    ...operator("signed_in", "write", "first"),
    body: z.strictObject({
      ids: z
        .array(id(), { error: "choose_approvals" })
        .check(z.minLength(1, "choose_approvals"), z.maxLength(APPROVALS_MAX, "choose_approvals")),
    }),
    data: z.object({
      results: z.array(
        z.extend(z.pick(approval, { id: true, state: true, note: true }), {
          /** A password or secret that the change created. The server shows this value only once. */
          secret: z.nullable(secret()),
        }),
      ),
    }),
  }),
  refuse: route({
    call: "PUT /gred/api/approval/{id}/refuse",
    summary: "Refuse a change, or withdraw one's own",
    ...operator("signed_in", "write", { none: "nothing happens but that it does not" }),
    params: byId,
    body: z.strictObject({ reason: keptText("enter_reason") }),
  }),
};
