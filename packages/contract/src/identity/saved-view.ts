/** A view is a set of list filters that an operator saved under a name (behaviour §11). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { byId, name, trimmedText } from "#platform/fields";
import { NAME_LENGTH_MAX } from "#platform/limits";
import { plain } from "#platform/marks";
import { operator, route } from "#platform/route";

/** Maximum number of views of one operator, counted over all lists. */
export const VIEWS_MAX = 50;

/** Maximum length of the filters, written as in the address. */
const SEARCH_LENGTH_MAX = 2_000;

const page = () =>
  trimmedText("enter_view_page", NAME_LENGTH_MAX).check(z.regex(/^[\w-]+$/, "bad_characters"));

const savedView = z.object({ id: z.int(), view_name: plain(), search: plain() });
export type SavedView = z.output<typeof savedView>;

export const savedViewRoutes = {
  list: route({
    call: "GET /gred/api/view",
    summary: "The operator's views of a list, by name",
    ...operator("signed_in", "read"),
    query: z.object({ page: page() }),
    data: listOf(savedView),
  }),
  save: route({
    call: "POST /gred/api/view",
    summary: "Keep the filters of a list under a name",
    ...operator("signed_in", "write", { none: "the operator's own views" }),
    body: z.strictObject({
      page: page(),
      view_name: name("enter_view_name", NAME_LENGTH_MAX),
      search: trimmedText("enter_view_search", SEARCH_LENGTH_MAX),
    }),
  }),
  remove: route({
    call: "DELETE /gred/api/view/{id}",
    summary: "Remove a view of the operator",
    ...operator("signed_in", "write", { none: "the operator's own views" }),
    params: byId,
  }),
};
