/** Every call of the system, by noun. The server must implement each; OpenAPI is made from this list. */
import { activityRoutes } from "#rounds/activity";
import { apiKeyRoutes } from "#identity/api-key";
import { approvalRoutes } from "#approvals/approval";
import { auditRoutes } from "#evidence/audit";
import { betRoutes } from "#events/bet";
import { depositRoutes } from "#events/deposit";
import { drawRoutes } from "#draws/draw";
import { erasureRoutes } from "#evidence/erasure";
import { eventExportRoutes } from "#events/event-export";
import { exclusionRoutes } from "#players/exclusion";
import { extraTimesRoutes } from "#players/extra-times";
import { findRoutes } from "#records/find";
import { ingestRoutes } from "#events/ingest";
import { jobRoutes } from "#records/job";
import { lookupRoutes } from "#rounds/lookup";
import { monthRoutes } from "#finance/month";
import { olderRoutes } from "#records/older";
import { operatorRoutes, ownRoutes } from "#identity/operators";
import { payoutRoutes } from "#payouts/payout";
import { playerPageRoutes } from "#draws/player-page";
import { playerRoutes } from "#chances/player";
import { playerViewRoutes } from "#chances/player-view";
import { poolRoutes } from "#pools/pool";
import { prizeRoutes } from "#pools/prize";
import { reconciliationRoutes } from "#finance/reconciliation";
import { proofRoutes } from "#evidence/proof";
import { receiptRoutes } from "#evidence/receipt";
import { recordRoutes } from "#records/record";
import { savedViewRoutes } from "#identity/saved-view";
import { sessionRoutes } from "#identity/session";
import { settingRoutes } from "#approvals/setting";
import { sheetRoutes } from "#finance/sheet";
import { stopSwitchRoutes } from "#stops/stop-switch";
import { redCodeRoutes, tagRoutes } from "#rounds/tag";
import { ticketRoutes } from "#identity/ticket";
import { walletRoutes } from "#payouts/wallet";
import { watchRoutes } from "#watch/watch";
import { webhookRoutes } from "#webhooks/webhook";

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
