/** Takes in bets (platform-api; behaviour §3). */
import { betRow } from "@red/contract/ingest";
import type { IngestResult } from "@red/contract/ingest";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#db/audit";
import { insertBets, selectBetsByIdentity } from "#db/bet";
import type { Tx } from "#db/connection";
import { ingestEvents } from "./ingest-events.ts";
import type { EventKind } from "./place-events.ts";
import type * as z from "zod/mini";

type BetRow = z.output<typeof betRow>;

/* The player comes last: a player_id may hold any sign. */
function contentOf(cents: number, bet: { platform: number; player_id: string }): string {
  return `${cents} ${bet.platform} ${bet.player_id}`;
}

const BETS: EventKind<BetRow> = {
  table: "bet",
  schema: betRow,
  noOf: (row) => row.bet_no,
  contentOf: (row) => contentOf(row.valid_bet_amount, row),
  select: async (tx, identities) => {
    const stored = await selectBetsByIdentity(tx, identities);
    return stored.map((bet) => ({
      no: bet.no,
      created_at: bet.created_at,
      content: contentOf(bet.valid_bet_cents, bet),
    }));
  },
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
