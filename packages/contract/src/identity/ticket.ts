/** A download has a ticket in its address instead of a token (behaviour §9). */
import * as z from "zod/mini";
import { freeText } from "#platform/fields";
import { secret } from "#platform/marks";
import { operator, route } from "#platform/route";

export const TICKET_SECONDS = 60;

/** Returns the message for filters that are not an object or have an invalid name. */
function noFilters(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "invalid_key") {
    return issue.issues[0]?.message ?? "bad_characters";
  }
  return issue.input === undefined || issue.input === null ? "required" : "not_an_object";
}

export const ticketRoutes = {
  create: route({
    call: "POST /gred/api/ticket",
    summary: "A ticket for one download: one use, 60 s, bound to operator, path and filters",
    ...operator("signed_in", "write", { none: "the operator's own file" }),
    body: z.strictObject({
      path: freeText(200).check(z.startsWith("/", "not_in_set")),
      query: z.record(freeText(64), freeText(500), { error: noFilters }),
    }),
    data: z.object({ ticket: secret() }),
  }),
};
