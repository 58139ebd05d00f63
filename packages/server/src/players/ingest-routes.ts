import type { ingestRoutes } from "@red/contract/ingest";
import { ingestEvents } from "./ingest-events.ts";
import { ingestPlayers } from "./ingest-players.ts";
import { reverseEvents } from "./ingest-reversals.ts";
import type { Handlers } from "#platform/handlers";

export const ingestHandlers: Handlers<typeof ingestRoutes> = {
  players: async ({ tx, actor, body, language }) => ({
    data: await ingestPlayers(tx, actor, body.players, language),
  }),
  deposits: async ({ tx, actor, body, language }) => ({
    data: await ingestEvents(tx, actor, "deposit", body.deposits, language),
  }),
  bets: async ({ tx, actor, body, language }) => ({
    data: await ingestEvents(tx, actor, "bet", body.bets, language),
  }),
  reversals: async ({ tx, actor, body, language }) => ({
    data: await reverseEvents(tx, actor, "deposit", body.reversals, language),
  }),
  voids: async ({ tx, actor, body, language }) => ({
    data: await reverseEvents(tx, actor, "bet", body.voids, language),
  }),
};
