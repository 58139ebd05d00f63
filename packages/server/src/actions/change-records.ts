/**
 * What operators do to many records at once: those whose payout is in the right state are taken, the
 * others are told, and one audit row says all of it (behaviour §6, §11).
 */
import type { PayoutState } from "@red/contract/lookups";
import { insertAudit, insertRefusal } from "#db/audit";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { lockPayouts } from "#db/payout";

/** A record that was not taken: `state` is null when there is no such record. */
export interface NotTaken {
  readonly log_id: number;
  readonly state: PayoutState | null;
}

export interface RecordChange {
  /** In the order asked for, each once. */
  readonly taken: readonly number[];
  readonly refused: readonly NotTaken[];
}

export interface RecordStep {
  /** How the audit names it. */
  readonly action: string;
  readonly from: PayoutState;
  readonly to: PayoutState;
  /** What the operator wrote, for the audit. */
  readonly words?: Readonly<Record<string, string | null>>;
  /** Writes the new state of locked payouts. */
  readonly write: (taken: readonly number[]) => Promise<void>;
}

/**
 * Takes those among `log_ids` that are in the state `from` and reports the others, each with its
 * state. The rows are locked in order before they are looked at: of two operators at once, the second
 * finds what the first has made of them.
 */
export async function changeRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  step: RecordStep,
): Promise<RecordChange> {
  const asked = [...new Set(log_ids)];
  const locked = await lockPayouts(tx, asked);
  const states = new Map(locked.map(({ log_id, state }) => [log_id, state]));
  const taken = asked.filter((log_id) => states.get(log_id) === step.from);
  const refused = asked
    .filter((log_id) => states.get(log_id) !== step.from)
    .map((log_id) => ({ log_id, state: states.get(log_id) ?? null }));
  const entry = {
    action: step.action,
    object_type: "payout",
    object_id: asked.length === 1 ? (asked[0] ?? null) : null,
  };
  if (taken.length === 0) {
    await insertRefusal(tx, actor, { ...entry, before: { refused } });
    return { taken, refused };
  }
  await step.write(taken);
  await insertAudit(tx, actor, {
    ...entry,
    before: { log_ids: taken, state: step.from },
    after: { log_ids: taken, state: step.to, refused, ...step.words },
  });
  return { taken, refused };
}
