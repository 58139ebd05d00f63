import { evidenceCalls } from "@red/contract/evidence/room";
import { room } from "#platform/http/room";
import { anchorFile } from "./anchors.ts";
import { auditHandlers } from "./audit-routes.ts";
import { receiptHandlers } from "./receipt-routes.ts";
import { erasureHandlers, proofHandlers } from "./proof-routes.ts";
import { startSealer } from "./seal-job.ts";
import { SEALED_LISTS, sealsMeasured } from "./seal-sql.ts";
import { trimAuditLog } from "./trim-audit-log.ts";

export const evidenceRoom = room(
  evidenceCalls,
  () => ({
    audit: auditHandlers,
    proof: proofHandlers,
    receipt: receiptHandlers,
    erasure: erasureHandlers,
  }),
  {
    jobs: ({ db, config, log }) =>
      SEALED_LISTS.map((list) =>
        startSealer({ db, list, anchors: anchorFile(config.dataDir, list), log }),
      ),
    chores: ({ retention }) => [
      { done: "old rows of the audit log deleted", run: trimAuditLog(retention.audit) },
    ],
    measured: (db) => [sealsMeasured(db)],
  },
);
