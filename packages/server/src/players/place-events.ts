/** Gives every new deposit or bet a free id of its millisecond (event-sql.ts). */
import type { EventKind } from "@red/contract/explanation";
import type { Tx } from "#platform/connection";
import { insertEvents, lockCrowds, selectFreeSlots } from "./event-slots-sql.ts";
import type { NewEvent } from "./event-slots-sql.ts";
import { identityOf, selectEvents } from "./event-sql.ts";
import type { EventIdentity } from "./event-sql.ts";

/** A new row, with its identity as one text. */
export type NewEntry = Omit<NewEvent, "slot"> & { readonly identity: string };

/** Rows of one millisecond that make a crowd; calls with fewer never use up its slots together. */
const CROWD = 64;

/** The next slot is tried this often; then nearly full milliseconds are searched. */
const NEXT_SLOT_PASSES = 3;
const FREE_SLOT_PASSES = 3;

type Placed = NewEntry & Pick<NewEvent, "slot">;

function groupByInstant<E extends EventIdentity>(rows: readonly E[]): Map<number, E[]> {
  const groups = new Map<number, E[]>();
  for (const row of rows) {
    const at = row.created_at.getTime();
    const group = groups.get(at);
    if (group === undefined) {
      groups.set(at, [row]);
    } else {
      group.push(row);
    }
  }
  return groups;
}

/** Keeps other calls with a crowd of the same millisecond out; lock before players. */
export async function awaitCrowds(
  tx: Tx,
  kind: EventKind,
  rows: readonly EventIdentity[],
): Promise<void> {
  const crowds = [...groupByInstant(rows)].filter(([, group]) => group.length > CROWD);
  if (crowds.length > 0) {
    await lockCrowds(
      tx,
      kind,
      crowds.map(([at]) => new Date(at)),
    );
  }
}

/** Gives each row a free slot of its millisecond; rows without one are left out. */
async function withFreeSlots(tx: Tx, kind: EventKind, rows: readonly Placed[]): Promise<Placed[]> {
  const groups = groupByInstant(rows);
  const wanted = [...groups].map(([at, group]) => ({
    created_at: new Date(at),
    count: group.length,
  }));
  const free = await selectFreeSlots(tx, kind, wanted);
  return free.flatMap(({ created_at, slot }) => {
    const row = groups.get(created_at.getTime())?.pop();
    return row === undefined ? [] : [{ ...row, slot }];
  });
}

export async function selectContents(
  tx: Tx,
  kind: EventKind,
  entries: readonly EventIdentity[],
): Promise<Map<string, string>> {
  const distinct = new Map(entries.map((entry) => [identityOf(entry), entry]));
  const stored = await selectEvents(tx, kind, [...distinct.values()]);
  return new Map(stored.map((row) => [identityOf(row), row.content]));
}

/**
 * Inserts rows of distinct identities. `lost` holds the content of rows that another call has stored
 * meanwhile, `full` the identities whose millisecond has no room.
 */
export async function placeEvents(
  tx: Tx,
  kind: EventKind,
  rows: readonly NewEntry[],
): Promise<{ lost: ReadonlyMap<string, string>; full: ReadonlySet<string> }> {
  const lost = new Map<string, string>();
  let pending = rows.map((row): Placed => ({ ...row, slot: null }));
  for (let pass = 1; pending.length > 0 && pass <= NEXT_SLOT_PASSES + FREE_SLOT_PASSES; pass += 1) {
    const placed = pass > NEXT_SLOT_PASSES ? await withFreeSlots(tx, kind, pending) : pending;
    const inserted = await insertEvents(tx, kind, placed);
    const done = new Set(inserted.map(identityOf));
    const rest = pending.filter((row) => !done.has(row.identity));
    if (rest.length > 0) {
      for (const [identity, content] of await selectContents(tx, kind, rest)) {
        lost.set(identity, content);
      }
    }
    pending = rest.filter((row) => !lost.has(row.identity));
  }
  return { lost, full: new Set(pending.map((row) => row.identity)) };
}
