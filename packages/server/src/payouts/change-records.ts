/**
 * Operators change many payouts in one call (spec §4; behaviour §6, §11). Records in an allowed state are changed
 * and all other records are reported; one audit row lists both. A double click changes each record only once.
 */
import type { PayoutState } from "@red/contract/platform/codes";
import { noRisk, riskOfPayouts } from "@red/engine/risk";
import type { Risk } from "@red/engine/risk";
import {
  askPayoutsAgain,
  closePayouts,
  deliverPayouts,
  lockPayouts,
  requeuePayouts,
  selectSumOf,
} from "./payout-sql.ts";
import { startJob } from "./job-sql.ts";
import { insertAudit, insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { failpoint } from "#platform/failpoint";
import { notifyPayoutWorkers } from "#platform/db/listen";

/** A record that was not changed. `state` is null when the record does not exist. */
export interface NotTaken {
  readonly log_id: number;
  readonly state: PayoutState | null;
}

export interface RecordChange {
  /** Ids in the order of the request, without duplicates. */
  readonly taken: readonly number[];
  readonly refused: readonly NotTaken[];
  /** The job that shows the outcomes of these payouts. */
  readonly job_id?: number | null;
}

interface RecordStep {
  readonly action: string;
  readonly from: readonly PayoutState[];
  readonly to: PayoutState;
  /** Writes the new state of locked payouts. Returns more fields for the audit row. */
  readonly write: (taken: readonly number[]) => Promise<object>;
}

/**
 * Changes the records among `log_ids` whose state is in `from`. Rows are locked before their state is read, so an
 * operator always sees the changes of an earlier operator.
 */
async function changeRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  step: RecordStep,
): Promise<RecordChange> {
  const ids = [...new Set(log_ids)];
  const locked = await lockPayouts(tx, ids);
  const states = new Map(locked.map(({ log_id, state }) => [log_id, state]));
  const isRight = (log_id: number) => step.from.some((state) => state === states.get(log_id));
  const taken = ids.filter(isRight);
  const refused = ids
    .filter((log_id) => !isRight(log_id))
    .map((log_id) => ({ log_id, state: states.get(log_id) ?? null }));
  const entry = {
    action: step.action,
    object_type: "payout",
    object_id: ids.length === 1 ? (ids[0] ?? null) : null,
    about: { record: locked.map(({ log_id }) => log_id) },
  };
  if (taken.length === 0) {
    await insertRefusal(tx, actor, { ...entry, before: { refused } });
    return { taken, refused };
  }
  const more = await step.write(taken);
  const were = new Set(taken.map((log_id) => states.get(log_id)));
  await insertAudit(tx, actor, {
    ...entry,
    // If the states differ, `state` is a list with one state per record, in the order of the ids.
    before: {
      log_ids: taken,
      state: were.size === 1 ? [...were][0] : taken.map((log_id) => states.get(log_id)),
    },
    after: { log_ids: taken, state: step.to, refused, ...more },
  });
  return { taken, refused };
}

/**
 * Queues refused payouts again under the same number; a payout first sent `retentionMs` ago is queried instead
 * (`asked`). If the wallet answers that it never received this payout, the payout goes to manual check. Old
 * attempts are kept, the next attempt names the operator, and a job of the operator shows the outcomes.
 */
export async function reissueRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  retentionMs: number,
  operator_id: number | null = null,
) {
  let asked: number[] = [];
  let job_id: number | null = null;
  let risk: Risk = noRisk("nothing is paid");
  const change = await changeRecords(tx, actor, log_ids, {
    action: "reissue_records",
    from: ["refused"],
    to: "queued",
    write: async (taken) => {
      job_id = operator_id && (await startJob(tx, "reissue", operator_id, taken));
      asked = await requeuePayouts(tx, taken, actor.name, retentionMs);
      risk = riskOfPayouts(await selectSumOf(tx, taken));
      await notifyPayoutWorkers(tx);
      failpoint("reissue_written");
      return asked.length === 0 ? {} : { asked };
    },
  });
  return { ...change, asked, job_id, risk };
}

/**
 * Queries the wallet at once, and for another day, about payouts that wait for a manual check. Old attempts are
 * kept, the next attempt names the operator, and a job of the operator shows the outcomes.
 */
export async function askRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  operator_id: number,
): Promise<RecordChange> {
  let job_id: number | null = null;
  const change = await changeRecords(tx, actor, log_ids, {
    action: "ask_records",
    from: ["check"],
    to: "unknown",
    write: async (taken) => {
      job_id = await startJob(tx, "ask", operator_id, taken);
      await askPayoutsAgain(tx, taken, actor.name);
      await notifyPayoutWorkers(tx);
      return {};
    },
  });
  return { ...change, job_id };
}

/**
 * Marks physical prizes that wait for delivery as delivered now. The note may contain a parcel number or the recipient.
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
 * Closes payouts that are refused or wait for a manual check. A closed payout counts as failed and cannot be
 * re-issued; its refusal or check reason is kept beside the operator's reason.
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
