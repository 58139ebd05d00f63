import { auditRoutes } from "./audit.ts";
import { proofRoutes } from "./proof.ts";
import { receiptRoutes } from "./receipt.ts";
import { erasureRoutes } from "./erasure.ts";

export const evidenceCalls = {
  audit: auditRoutes,
  proof: proofRoutes,
  receipt: receiptRoutes,
  erasure: erasureRoutes,
} as const;
