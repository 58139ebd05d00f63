/**
 * The audit log records who did what to which object, when, from which address, and with which outcome
 * (docs/security.md).
 */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { dateTime, fileFormat, filterText, paging } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { marked, plain, words } from "#platform/marks";
import { operator, route, unattended } from "#platform/route";

export const AUDIT_ACTORS = ["all", "people", "platforms"] as const;
export const AUDIT_OUTCOMES = ["done", "refused"] as const;

export const auditRow = z.object({
  id: z.int(),
  at: plain(),
  actor_kind: z.enum(["operator", "key", "redctl", "system"]),
  actor: plain(),
  action: plain(),
  object_type: plain(),
  object_id: z.nullable(words()),
  /** The current name of the object; null if the object has no name or was deleted. */
  object_name: z.nullable(words()),
  outcome: z.enum(AUDIT_OUTCOMES),
  before: z.nullable(marked("words", z.record(z.string(), z.unknown()))),
  after: z.nullable(marked("words", z.record(z.string(), z.unknown()))),
  reason: z.nullable(words()),
  request_id: z.nullable(plain()),
  address: z.nullable(plain()),
});
export type AuditRow = z.output<typeof auditRow>;

/** Kinds of objects whose changes the console shows on a page. */
export const AUDITED = ["activity", "pool", "prize", "player", "record"] as const;
export type Audited = (typeof AUDITED)[number];

const filter = {
  actors: z.optional(z.enum(AUDIT_ACTORS, { error: "not_in_set" })),
  actor: z.optional(filterText()),
  action: z.optional(filterText()),
  object_type: z.optional(filterText()),
  /** With `object_type`: rows about this object, also rows about several objects. The account identifies a player. */
  object_id: z.optional(filterText()),
  outcome: z.optional(z.enum(AUDIT_OUTCOMES, { error: "not_in_set" })),
  request_id: z.optional(filterText()),
  start_time: z.optional(dateTime()),
  end_time: z.optional(dateTime()),
};
/** An id needs its type, because objects of different types can have equal ids. */
const typed = z.refine<{ object_type?: string | undefined; object_id?: string | undefined }>(
  (of) => of.object_id === undefined || of.object_type !== undefined,
  { error: "choose_object_type", path: ["object_id"] },
);
export const auditFilter = z.object(filter).check(typed);
export type AuditFilter = z.output<typeof auditFilter>;

const page = z.object({ ...filter, ...paging(PAGE_SIZE_MAX) }).check(typed);

export const auditRoutes = {
  watch: route({
    call: "GET /gred/api/audit/watch",
    summary: "The same as the list, asked for by the open page every second or two",
    ...unattended("audit.read", "read"),
    query: page,
    data: listOf(auditRow),
  }),
  list: route({
    call: "GET /gred/api/audit",
    summary: "The audit log, newest first",
    ...operator("audit.read", "read"),
    query: page,
    data: listOf(auditRow),
  }),
  exportFile: route({
    call: "GET /gred/api/audit/export",
    summary: "The audit log as a file, by the same filters",
    ...operator("audit.read", "download"),
    query: z.object({ ...filter, format: fileFormat() }).check(typed),
  }),
};
