import { listSearchOf } from "#lib/search.ts";

export const AUDIT_SEARCH = listSearchOf([
  "actors",
  "actor",
  "action",
  "object_type",
  "object_id",
  "outcome",
  "request_id",
  "start_time",
  "end_time",
]);
