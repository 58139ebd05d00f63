/** What the game platform feeds in (platform-api); the rules are those of the actions. */
import type { ingestRoutes } from "@red/contract/ingest";
import { ingestBets } from "#actions/ingest-bets";
import { ingestDeposits } from "#actions/ingest-deposits";
import { ingestPlayers } from "#actions/ingest-players";
import { reverseDepositRows, voidBetRows } from "#actions/ingest-reversals";
import type { Handlers } from "#http/handlers";

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
