/**
 * All calls of the system, by room and by resource. The server must implement all of them; this list generates OpenAPI.
 */
import { identityCalls } from "#identity/room";
import { stopsCalls } from "#stops/room";
import { poolsCalls } from "#pools/room";
import { roundsCalls } from "#rounds/room";
import { playersCalls } from "#players/room";
import { eventsCalls } from "#events/room";
import { chancesCalls } from "#chances/room";
import { drawsCalls } from "#draws/room";
import { payoutsCalls } from "#payouts/room";
import { recordsCalls } from "#records/room";
import { financeCalls } from "#finance/room";
import { evidenceCalls } from "#evidence/room";
import { approvalsCalls } from "#approvals/room";
import { watchCalls } from "#watch/room";
import { webhooksCalls } from "#webhooks/room";

export const CALLS_BY_ROOM = {
  identity: identityCalls,
  stops: stopsCalls,
  pools: poolsCalls,
  rounds: roundsCalls,
  players: playersCalls,
  events: eventsCalls,
  chances: chancesCalls,
  draws: drawsCalls,
  payouts: payoutsCalls,
  records: recordsCalls,
  finance: financeCalls,
  evidence: evidenceCalls,
  approvals: approvalsCalls,
  watch: watchCalls,
  webhooks: webhooksCalls,
} as const;

export const ROUTES = {
  ...identityCalls,
  ...stopsCalls,
  ...poolsCalls,
  ...roundsCalls,
  ...playersCalls,
  ...eventsCalls,
  ...chancesCalls,
  ...drawsCalls,
  ...payoutsCalls,
  ...recordsCalls,
  ...financeCalls,
  ...evidenceCalls,
  ...approvalsCalls,
  ...watchCalls,
  ...webhooksCalls,
} as const;
