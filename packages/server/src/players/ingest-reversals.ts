/**
 * Reverses deposits and voids bets (platform-api; behaviour §3): they stay visible, marked, and count
 * no more. What was already drawn on them stays drawn.
 */
import { reversalRow, voidRow } from "@red/contract/ingest";
import type { IngestResult } from "@red/contract/ingest";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { cancelEvents, identityOf, selectEvents } from "./event-sql.ts";
import type { EventReversal, EventTable } from "./event-sql.ts";
import { raisePlayerVersions } from "./player-sql.ts";
import { concludeIngest, readRows, rejected } from "./ingest-rows.ts";
import type { Numbered, Verdict } from "./ingest-rows.ts";

/** PostgreSQL stores no NUL in a text, so a reason with one has to be told from the others. */
function keepStorable(
  rows: readonly Numbered<EventReversal>[],
  language: Language,
  verdicts: Verdict[],
): Numbered<EventReversal>[] {
  return rows.filter(({ index, row }) => {
    if (row.reason?.includes("\0") !== true) {
      return true;
    }
    const message = text("bad_characters", language, { field: "reason" });
    verdicts[index] = { code: "reason", message };
    return false;
  });
}

async function reverse(
  tx: Tx,
  actor: Actor,
  action: string,
  table: EventTable,
  given: readonly Numbered<EventReversal>[],
  verdicts: Verdict[],
  language: Language,
): Promise<IngestResult> {
  const rows = keepStorable(given, language, verdicts);
  const wanted = new Map(rows.map(({ row }) => [identityOf(row), row]));
  const stored = new Map(
    (await selectEvents(tx, table, [...wanted.values()])).map((event) => [
      identityOf(event),
      event,
    ]),
  );
  const standing = new Map(
    rows
      .toReversed()
      .filter(({ row }) => stored.get(identityOf(row))?.gone === false)
      .map(({ row }) => [identityOf(row), row]),
  );
  const players = [...standing.keys()].flatMap(
    (identity) => stored.get(identity)?.player_key ?? [],
  );
  if (standing.size > 0) {
    await raisePlayerVersions(tx, [...new Set(players)]);
  }
  const reversed = standing.size > 0 ? await cancelEvents(tx, table, [...standing.values()]) : [];
  const fresh = new Set(reversed.map(identityOf));
  for (const { index, row } of rows) {
    const identity = identityOf(row);
    if (!stored.has(identity)) {
      verdicts[index] = rejected("not_found", language);
    } else {
      // Only the first row of an identity finds it here.
      verdicts[index] = fresh.delete(identity) ? "accepted" : "duplicate";
    }
  }
  return await concludeIngest(tx, actor, { action, object_type: table }, verdicts);
}

/**
 * Reverses deposits. Again is a duplicate; an identity that there is not is rejected `not_found`, so
 * that a reversal which overtook its deposit can be sent again.
 */
export async function reverseDepositRows(
  tx: Tx,
  actor: Actor,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const verdicts: Verdict[] = [];
  const read = await readRows(reversalRow, input, language, verdicts);
  const rows = read.map(({ index, row }) => ({
    index,
    row: { no: row.order_no, created_at: row.created_at, reason: row.reason ?? null },
  }));
  return await reverse(tx, actor, "reverse_deposits", "deposit", rows, verdicts, language);
}

/** Voids bets, as `reverseDepositRows` reverses deposits. */
export async function voidBetRows(
  tx: Tx,
  actor: Actor,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const verdicts: Verdict[] = [];
  const read = await readRows(voidRow, input, language, verdicts);
  const rows = read.map(({ index, row }) => ({
    index,
    row: { no: row.bet_no, created_at: row.created_at, reason: row.reason ?? null },
  }));
  return await reverse(tx, actor, "void_bets", "bet", rows, verdicts, language);
}
