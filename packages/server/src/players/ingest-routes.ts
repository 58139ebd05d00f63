/** What the game platform feeds in (platform-api); the rules are those of the actions. */
import type { ingestRoutes } from "@red/contract/ingest";
import { ingestBets } from "./ingest-bets.ts";
import { ingestDeposits } from "./ingest-deposits.ts";
import { ingestPlayers } from "./ingest-players.ts";
import { reverseDepositRows, voidBetRows } from "./ingest-reversals.ts";
import type { Handlers } from "#platform/handlers";

export const ingestHandlers: Handlers<typeof ingestRoutes> = {
  players: async ({ tx, actor, body, language }) => ({
    data: await ingestPlayers(tx, actor, body.players, language),
  }),
  deposits: async ({ tx, actor, body, language }) => ({
    data: await ingestDeposits(tx, actor, body.deposits, language),
  }),
  bets: async ({ tx, actor, body, language }) => ({
    data: await ingestBets(tx, actor, body.bets, language),
  }),
  reversals: async ({ tx, actor, body, language }) => ({
    data: await reverseDepositRows(tx, actor, body.reversals, language),
  }),
  voids: async ({ tx, actor, body, language }) => ({
    data: await voidBetRows(tx, actor, body.voids, language),
  }),
};
