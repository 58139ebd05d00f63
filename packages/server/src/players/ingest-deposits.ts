/** Takes in deposits (platform-api; behaviour §3). */
import { depositRow } from "@red/contract/ingest";
import type { IngestResult } from "@red/contract/ingest";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { insertDeposits } from "./deposit-sql.ts";
import { ingestEvents } from "./ingest-events.ts";
import type { EventKind } from "./place-events.ts";
import type * as z from "zod/mini";

type DepositRow = z.output<typeof depositRow>;

const DEPOSITS: EventKind<DepositRow> = {
  table: "deposit",
  schema: depositRow,
  noOf: (row) => row.order_no,
  contentOf: ({ amount, channel, client, player_id }) =>
    `${amount} ${channel} ${client} ${player_id}`,
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
