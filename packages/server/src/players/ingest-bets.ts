/** Takes in bets (platform-api; behaviour §3). */
import { betRow } from "@red/contract/ingest";
import type { IngestResult } from "@red/contract/ingest";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#platform/audit";
import { insertBets } from "./bet-sql.ts";
import type { Tx } from "#platform/connection";
import { ingestEvents } from "./ingest-events.ts";
import type { EventKind } from "./place-events.ts";
import type * as z from "zod/mini";

type BetRow = z.output<typeof betRow>;

const BETS: EventKind<BetRow> = {
  table: "bet",
  schema: betRow,
  noOf: (row) => row.bet_no,
  contentOf: ({ valid_bet_amount, platform, player_id }) =>
    `${valid_bet_amount} ${platform} ${player_id}`,
  insert: async (tx, rows) =>
    await insertBets(
      tx,
      rows.map((row) => ({ ...row, no: row.bet_no, valid_bet_cents: row.valid_bet_amount })),
    ),
};

/** Takes in bets, each row by itself: see `ingestEvents`. */
export async function ingestBets(
  tx: Tx,
  actor: Actor,
  rows: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  return await ingestEvents(tx, actor, BETS, rows, language);
}
