/**
 * What operators do to many records at once: those whose payout is in the right state are taken, the
 * others are told, and one audit row says all of it (behaviour §6, §11).
 */
import type { PayoutState } from "@red/contract/lookups";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockPayouts } from "./payout-sql.ts";

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
  readonly from: readonly PayoutState[];
  readonly to: PayoutState;
  /** Writes the new state of locked payouts; answers what the audit says besides. */
  readonly write: (taken: readonly number[]) => Promise<object>;
}

/**
 * Takes those among `log_ids` that are in a state of `from` and reports the others, each with its
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
  const isRight = (log_id: number) => step.from.some((state) => state === states.get(log_id));
  const taken = asked.filter(isRight);
  const refused = asked
    .filter((log_id) => !isRight(log_id))
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
  const more = await step.write(taken);
  const were = new Set(taken.map((log_id) => states.get(log_id)));
  await insertAudit(tx, actor, {
    ...entry,
    // Of several states each record's own, in the order of the ids.
    before: {
      log_ids: taken,
      state: were.size === 1 ? [...were][0] : taken.map((log_id) => states.get(log_id)),
    },
    after: { log_ids: taken, state: step.to, refused, ...more },
  });
  return { taken, refused };
}
