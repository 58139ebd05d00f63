/**
 * A row of the table of everything that can happen to a payout in every state (behaviour §6): what a cell does not
 * name must leave the row in the database as it was.
 */
import { PAYOUT_STATES } from "@red/contract/lookups";
import type { PayoutState } from "@red/contract/lookups";
import type { Db } from "#platform/connection";
import { makeRecord } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import { payoutOf } from "#test/payout-factory";
import { sql } from "kysely";
import { expect } from "vitest";

/** Whatever is due was due then, and whatever is not waits until then. */
const PAST = new Date("2026-01-01");
const FUTURE = new Date("2100-01-01");

/** What happens to a payout; answers what the one who did it is told. */
export type PayoutEvent = (made: MadeRecord) => Promise<number | string>;

/** A payout that is sent so often before, and perhaps queued again by an operator since. */
interface PayoutBefore {
  readonly sent?: number;
  readonly isReissued?: boolean;
  readonly isDue?: boolean;
}

const isPhysical = (state: PayoutState) => state === "waiting_delivery" || state === "delivered";

/** A payout in a state, for the first cell of its row or for a test of its own. */
export async function makeInState(
  db: Db,
  state: PayoutState,
  before: PayoutBefore = {},
): Promise<MadeRecord> {
  const { sent = 1, isReissued = false, isDue = false } = before;
  const hasBeenSent = isPhysical(state) ? 0 : sent;
  const payout = {
    attempts: hasBeenSent,
    next_at: isDue ? PAST : FUTURE,
    requested_by: isReissued && !isPhysical(state) ? "op-2" : null,
    first_sent_at: hasBeenSent === 0 ? null : new Date(),
    ...(state === "sending" && isDue ? { lease_until: PAST } : {}),
  };
  const cents = isPhysical(state) ? { award_price_cents: 0 } : {};
  const made = await makeRecord(db, { state, ...cents, payout });
  for (let no = 1; no <= hasBeenSent; no += 1) {
    const attempt = { log_id: made.log_id, no, kind: "pay", outcome: "unclear: timeout" } as const;
    await db.insertInto("payout_attempt").values(attempt).execute();
  }
  return made;
}

/** A cell: what the payout becomes, and what is told; a state left out stays as it is with `otherwise`. */
type PayoutCell = readonly [becomes: PayoutState, told: number | string];
export interface PayoutRow {
  readonly name: string;
  readonly event: PayoutEvent;
  readonly before?: PayoutBefore;
  readonly cells: Partial<Record<PayoutState, PayoutCell>>;
  readonly otherwise: number | string;
}

/** All that a payout is, but for what counts how often something was heard of it. */
async function wholeOf(db: Db, made: MadeRecord) {
  const { attempts: _attempts, updated_at: _updated, ...row } = await payoutOf(db, made);
  return row;
}

async function forget(db: Db): Promise<void> {
  await sql`delete from payout_attempt`.execute(db);
  await sql`delete from payout`.execute(db);
}

/** Has the event of the row happen to a payout in each state, and holds what becomes of it. */
export async function expectRow(db: Db, row: PayoutRow): Promise<void> {
  const { event, before = {}, cells, otherwise } = row;
  const seen: Partial<Record<PayoutState, readonly unknown[]>> = {};
  const expected: Partial<Record<PayoutState, readonly unknown[]>> = {};
  for (const state of PAYOUT_STATES) {
    await forget(db);
    const made = await makeInState(db, state, before);
    const was = await wholeOf(db, made);
    const told = await event(made);
    const is = await wholeOf(db, made);
    const [becomes, tells] = cells[state] ?? [state, otherwise];
    seen[state] = [is.state, told];
    expected[state] = [becomes, tells];
    // To be asked about at once is all that may change while the state stays.
    const isAskedNow = is.next_at.getTime() < was.next_at.getTime();
    if (is.state === was.state && !isAskedNow) {
      expect([state, is]).toEqual([state, was]);
    }
  }
  expect(seen).toEqual(expected);
}
