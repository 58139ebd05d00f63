import type { IngestResult, ingestRoutes } from "@red/contract/events/ingest";
import { ingestEvents } from "./ingest-events.ts";
import { ingestPlayers } from "./ingest-players.ts";
import { reverseEvents } from "./ingest-reversals.ts";
import type { Handlers } from "#platform/handlers";
import { ingestedRowsTotal } from "#platform/http/metrics";

/** Counts the rows by verdict in the metrics, a moment before the commit. */
function counted(kind: string, data: IngestResult): { data: IngestResult } {
  const { accepted, updated, duplicates: duplicate, rejected } = data;
  const verdicts = { accepted, updated, duplicate, rejected: rejected.length };
  for (const [verdict, rows] of Object.entries(verdicts)) {
    ingestedRowsTotal.inc({ kind, verdict }, rows);
  }
  return { data };
}

export const ingestHandlers: Handlers<typeof ingestRoutes> = {
  players: async ({ tx, actor, body, language }) =>
    counted("player", await ingestPlayers(tx, actor, body.players, language)),
  deposits: async ({ tx, actor, body, language }) =>
    counted("deposit", await ingestEvents(tx, actor, "deposit", body.deposits, language)),
  bets: async ({ tx, actor, body, language }) =>
    counted("bet", await ingestEvents(tx, actor, "bet", body.bets, language)),
  reversals: async ({ tx, actor, body, language }) =>
    counted("reversal", await reverseEvents(tx, actor, "deposit", body.reversals, language)),
  voids: async ({ tx, actor, body, language }) =>
    counted("void", await reverseEvents(tx, actor, "bet", body.voids, language)),
};
