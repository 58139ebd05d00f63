import { financeCalls } from "@red/contract/finance/room";
import { room } from "#platform/http/room";
import { deleteOldRows } from "./delete-old-rows.ts";
import { monthHandlers } from "./month-routes.ts";
import { reconciliationHandlers } from "./reconciliation-routes.ts";
import type { Statement } from "./reconciliation-routes.ts";
import { sheetHandlers } from "./sheet-routes.ts";

export const financeRoom = room(
  financeCalls,
  (deps: { readonly statement: Statement }) => ({
    reconciliation: reconciliationHandlers(deps.statement),
    sheet: sheetHandlers,
    month: monthHandlers,
  }),
  {
    chores: ({ retention, businessTimeZone }) => [
      { done: "old rows deleted", run: deleteOldRows(retention, businessTimeZone) },
    ],
  },
);
