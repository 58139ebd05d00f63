/** Takes in deposits (platform-api; behaviour §3). */
import { depositRow } from "@red/contract/ingest";
import type { IngestResult } from "@red/contract/ingest";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { insertDeposits, selectDepositsByIdentity } from "#db/deposit";
import { ingestEvents } from "./ingest-events.ts";
import type { EventKind } from "./place-events.ts";
import type * as z from "zod/mini";

type DepositRow = z.output<typeof depositRow>;

/* The player comes last: a player_id may hold any sign. */
function contentOf(
  cents: number,
  deposit: { channel: number; client: number; player_id: string },
): string {
  return `${cents} ${deposit.channel} ${deposit.client} ${deposit.player_id}`;
}

const DEPOSITS: EventKind<DepositRow> = {
  table: "deposit",
  schema: depositRow,
  noOf: (row) => row.order_no,
  contentOf: (row) => contentOf(row.amount, row),
  select: async (tx, identities) => {
    const stored = await selectDepositsByIdentity(tx, identities);
    return stored.map((deposit) => ({
      no: deposit.no,
      created_at: deposit.created_at,
      content: contentOf(deposit.amount_cents, deposit),
    }));
  },
  insert: async (tx, rows) =>
    await insertDeposits(
      tx,
      rows.map((row) => ({ ...row, no: row.order_no, amount_cents: row.amount })),
    ),
};

/** Takes in deposits, each row by itself: see `ingestEvents`. */
export async function ingestDeposits(
  tx: Tx,
  actor: Actor,
  rows: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  return await ingestEvents(tx, actor, DEPOSITS, rows, language);
}
