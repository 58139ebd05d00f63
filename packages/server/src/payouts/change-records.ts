/**
 * What operators do to payouts, many records at once (spec §4; behaviour §6, §11): those in the right
 * state are taken, the others are reported, and one audit row says all of it. Several operators at once,
 * or a double click, do it once.
 */
import type { PayoutState } from "@red/contract/lookups";
import {
  askPayoutsAgain,
  closePayouts,
  deliverPayouts,
  lockPayouts,
  requeuePayouts,
} from "./payout-sql.ts";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { failpoint } from "#platform/failpoint";
import { notifyPayoutWorkers } from "#platform/listen";

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

export interface Reissue extends RecordChange {
  /** Those of the taken that the wallet is asked about first, since it may have forgotten them. */
  readonly asked: readonly number[];
}

interface RecordStep {
  /** How the audit names it. */
  readonly action: string;
  readonly from: readonly PayoutState[];
  readonly to: PayoutState;
  /** Writes the new state of locked payouts; answers what the audit says besides. */
  readonly write: (taken: readonly number[]) => Promise<object>;
}

/**
 * Takes those among `log_ids` that are in a state of `from`. The rows are locked in order before they
 * are looked at: of two operators at once, the second finds what the first has made of them.
 */
async function changeRecords(
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

/**
 * Queues refused payouts again, under the same number. Attempts are kept; the next one names the
 * operator. What was first sent `retentionMs` ago is asked about instead, and left to people when the
 * wallet has never seen it.
 */
export async function reissueRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  retentionMs: number,
): Promise<Reissue> {
  let asked: number[] = [];
  const change = await changeRecords(tx, actor, log_ids, {
    action: "reissue_records",
    from: ["refused"],
    to: "queued",
    write: async (taken) => {
      asked = await requeuePayouts(tx, taken, actor.name, retentionMs);
      await notifyPayoutWorkers(tx);
      failpoint("reissue_written");
      return asked.length === 0 ? {} : { asked };
    },
  });
  return { ...change, asked };
}

/**
 * Has the wallet asked again about payouts that wait for people, at once and for another day. Attempts
 * are kept; the next one names the operator.
 */
export async function askRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "ask_records",
    from: ["check"],
    to: "unknown",
    write: async (taken) => {
      await askPayoutsAgain(tx, taken, actor.name);
      await notifyPayoutWorkers(tx);
      return {};
    },
  });
}

/**
 * Marks physical prizes that wait for delivery as delivered, now. A note (a parcel's number, who
 * received it) may go with it.
 */
export async function deliverRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  note: string | null,
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "deliver_records",
    from: ["waiting_delivery"],
    to: "delivered",
    write: async (taken) => {
      await deliverPayouts(tx, taken, note);
      return { note };
    },
  });
}

/**
 * Closes payouts that were refused, or that wait for people, for the operator's reason. They are failed
 * then, and nothing re-issues them; what the wallet's refusal, or the lack of its word, was stays beside
 * that reason.
 */
export async function closeRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  reason: string,
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "close_records",
    from: ["refused", "check"],
    to: "closed",
    write: async (taken) => {
      await closePayouts(tx, taken, reason);
      return { reason };
    },
  });
}
