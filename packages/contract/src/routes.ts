/** Every call of the system, by noun. The server must implement each; OpenAPI is made from this list. */
import { activityRoutes } from "./activity.ts";
import { apiKeyRoutes } from "./api-key.ts";
import { approvalRoutes } from "./approval.ts";
import { auditRoutes } from "./audit.ts";
import { betRoutes } from "./bet.ts";
import { depositRoutes } from "./deposit.ts";
import { drawRoutes } from "./draw.ts";
import { erasureRoutes } from "./erasure.ts";
import { eventExportRoutes } from "./event-export.ts";
import { exclusionRoutes } from "./exclusion.ts";
import { extraTimesRoutes } from "./extra-times.ts";
import { findRoutes } from "./find.ts";
import { ingestRoutes } from "./ingest.ts";
import { jobRoutes } from "./job.ts";
import { lookupRoutes } from "./lookup.ts";
import { monthRoutes } from "./month.ts";
import { olderRoutes } from "./older.ts";
import { operatorRoutes, ownRoutes } from "./operators.ts";
import { payoutRoutes } from "./payout.ts";
import { playerPageRoutes } from "./player-page.ts";
import { playerRoutes } from "./player.ts";
import { playerViewRoutes } from "./player-view.ts";
import { poolRoutes } from "./pool.ts";
import { prizeRoutes } from "./prize.ts";
import { reconciliationRoutes } from "./reconciliation.ts";
import { proofRoutes } from "./proof.ts";
import { receiptRoutes } from "./receipt.ts";
import { recordRoutes } from "./record.ts";
import { savedViewRoutes } from "./saved-view.ts";
import { sessionRoutes } from "./session.ts";
import { settingRoutes } from "./setting.ts";
import { sheetRoutes } from "./sheet.ts";
import { stopSwitchRoutes } from "./stop-switch.ts";
import { redCodeRoutes, tagRoutes } from "./tag.ts";
import { ticketRoutes } from "./ticket.ts";
import { walletRoutes } from "./wallet.ts";
import { watchRoutes } from "./watch.ts";
import { webhookRoutes } from "./webhook.ts";

export const ROUTES = {
  session: sessionRoutes,
  ticket: ticketRoutes,
  own: ownRoutes,
  operator: operatorRoutes,
  apiKey: apiKeyRoutes,
  audit: auditRoutes,
  approval: approvalRoutes,
  savedView: savedViewRoutes,
  lookup: lookupRoutes,
  activity: activityRoutes,
  stopSwitch: stopSwitchRoutes,
  tag: tagRoutes,
  redCode: redCodeRoutes,
  pool: poolRoutes,
  prize: prizeRoutes,
  record: recordRoutes,
  find: findRoutes,
  job: jobRoutes,
  reconciliation: reconciliationRoutes,
  sheet: sheetRoutes,
  month: monthRoutes,
  proof: proofRoutes,
  player: playerRoutes,
  playerView: playerViewRoutes,
  extraTimes: extraTimesRoutes,
  exclusion: exclusionRoutes,
  erasure: erasureRoutes,
  deposit: depositRoutes,
  bet: betRoutes,
  eventExport: eventExportRoutes,
  older: olderRoutes,
  ingest: ingestRoutes,
  draw: drawRoutes,
  playerPage: playerPageRoutes,
  receipt: receiptRoutes,
  payout: payoutRoutes,
  wallet: walletRoutes,
  webhook: webhookRoutes,
  watch: watchRoutes,
  setting: settingRoutes,
} as const;
