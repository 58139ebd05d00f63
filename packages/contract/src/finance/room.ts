import { reconciliationRoutes } from "./reconciliation.ts";
import { sheetRoutes } from "./sheet.ts";
import { monthRoutes } from "./month.ts";

export const financeCalls = {
  reconciliation: reconciliationRoutes,
  sheet: sheetRoutes,
  month: monthRoutes,
} as const;
