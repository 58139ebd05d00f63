/**
 * Reverses deposits and voids bets (platform-api; behaviour §3). The rows stay visible with a mark,
 * but no longer count. Draws already made remain.
 */
import type { EventKind } from "@red/contract/events/event";
import { reversalRow, voidRow } from "@red/contract/events/ingest";
import type { IngestResult } from "@red/contract/events/ingest";
import type { Language } from "@red/contract/platform/texts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { referTexts } from "#platform/player-names";
import { selectDetachedMonths } from "./detach-month.ts";
import { cancelEvents, identityOf, monthOf, selectEvents } from "./event-sql.ts";
import type { EventReversal } from "./event-sql.ts";
import { raisePlayerVersions } from "#players/player-sql";
import { concludeIngest, readRows, rejected } from "./ingest-rows.ts";
import type { Verdict } from "./ingest-rows.ts";
import * as z from "zod/mini";

interface Reversal {
  readonly action: string;
  readonly schema: z.ZodMiniType<EventReversal>;
}

const REVERSALS: Readonly<Record<EventKind, Reversal>> = {
  deposit: {
    action: "reverse_deposits",
    schema: z.pipe(
      reversalRow,
      z.transform(({ order_no: no, reason = null, ...row }) => ({ no, reason, ...row })),
    ),
  },
  bet: {
    action: "void_bets",
    schema: z.pipe(
      voidRow,
      z.transform(({ bet_no: no, reason = null, ...row }) => ({ no, reason, ...row })),
    ),
  },
};

/** Replaces player names in the reasons by references (behaviour §3). */
async function referReasons(
  tx: Tx,
  rows: readonly EventReversal[],
  own: readonly number[],
): Promise<EventReversal[]> {
  const reasons = [...new Set(rows.flatMap(({ reason }) => reason ?? []))];
  const refs = reasons.length > 0 ? await referTexts(tx, reasons, own) : [];
  const refOf = new Map(reasons.map((reason, at) => [reason, refs[at] ?? reason]));
  return rows.map((row) => ({
    ...row,
    reason: row.reason === null ? null : (refOf.get(row.reason) ?? row.reason),
  }));
}

/**
 * Reverses deposits or voids bets. A repeated row is a duplicate. An unknown identity is rejected
 * with `not_found`, so the platform can send a reversal again that arrived before its deposit.
 */
export async function reverseEvents(
  tx: Tx,
  actor: Actor,
  kind: EventKind,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const { schema, action } = REVERSALS[kind];
  const verdicts: Verdict[] = [];
  const rows = await readRows(schema, input, language, verdicts);
  const wanted = new Map(rows.map(({ row }) => [identityOf(row), row]));
  const stored = new Map(
    (await selectEvents(tx, kind, [...wanted.values()])).map((event) => [identityOf(event), event]),
  );
  const detached = await selectDetachedMonths(tx, kind);
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
  const kept = await referReasons(tx, [...standing.values()], players);
  const reversed = kept.length > 0 ? await cancelEvents(tx, kind, kept) : [];
  const fresh = new Set(reversed.map(identityOf));
  for (const { index, row } of rows) {
    const identity = identityOf(row);
    if (!stored.has(identity)) {
      const isDetached = detached.has(monthOf(row.created_at));
      verdicts[index] = rejected(isDetached ? "created_at_detached" : "not_found", language);
    } else {
      // Only the first row of an identity is accepted.
      verdicts[index] = fresh.delete(identity) ? "accepted" : "duplicate";
    }
  }
  return await concludeIngest(tx, actor, { action, object_type: kind }, verdicts);
}
