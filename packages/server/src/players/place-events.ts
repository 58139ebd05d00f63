/** Finds every new deposit or bet its place: an id of its millisecond that nobody has (players/event-sql.ts). */
import type { Tx } from "#platform/connection";
import { identityOf, lockCrowds, selectEvents, selectFreeSlots } from "./event-sql.ts";
import type { EventIdentity, EventTable } from "./event-sql.ts";
import type { Numbered } from "./ingest-rows.ts";
import type * as z from "zod/mini";

export interface EventRow {
  readonly player_id: string;
  readonly user_name: string;
  readonly created_at: Date;
}

/** What there is under an identity, as one text that equals another only for the same content. */
export interface EventContent extends EventIdentity {
  readonly content: string;
}

export interface Placement {
  readonly player_key: number;
  /** Null takes the next one. */
  readonly slot: number | null;
}

/** How one kind of event is read, compared and stored. */
export interface EventKind<R extends EventRow> {
  readonly table: EventTable;
  readonly schema: z.ZodMiniType<R>;
  readonly noOf: (row: R) => string;
  /** As `StoredEvent.content` has it. */
  readonly contentOf: (row: R) => string;
  /** Answers what was inserted; the rest has an identity or an id that is taken. */
  readonly insert: (tx: Tx, rows: readonly (R & Placement)[]) => Promise<EventIdentity[]>;
}

/** A row with what it is compared by. */
export interface Entry<R> extends Numbered<R>, EventContent {
  readonly identity: string;
}

/** A row that is new, with the key of its player. */
export type NewEntry<R> = Entry<R> & { readonly player_key: number };

/** Rows of one millisecond that make a crowd: with fewer, calls at once never use up its slots. */
const CROWD = 64;

/** The next slot is tried this often; then the milliseconds that are nearly full are looked through. */
const NEXT_SLOT_PASSES = 3;
const FREE_SLOT_PASSES = 3;

type Placed<R> = NewEntry<R> & Placement;

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

/** Keeps other calls with a crowd of the same millisecond away; a lock that comes before players. */
export async function awaitCrowds(
  tx: Tx,
  table: EventTable,
  rows: readonly EventIdentity[],
): Promise<void> {
  const crowds = [...groupByInstant(rows)].filter(([, group]) => group.length > CROWD);
  if (crowds.length > 0) {
    await lockCrowds(
      tx,
      table,
      crowds.map(([at]) => new Date(at)),
    );
  }
}

/** Gives each row a free slot of its millisecond; rows that find none are left out. */
async function withFreeSlots<R>(
  tx: Tx,
  table: EventTable,
  rows: readonly Placed<R>[],
): Promise<Placed<R>[]> {
  const groups = groupByInstant(rows);
  const wanted = [...groups].map(([at, group]) => ({
    created_at: new Date(at),
    count: group.length,
  }));
  const free = await selectFreeSlots(tx, table, wanted);
  return free.flatMap(({ created_at, slot }) => {
    const row = groups.get(created_at.getTime())?.pop();
    return row === undefined ? [] : [{ ...row, slot }];
  });
}

/** The stored content of those entries whose identity is there, by identity. */
export async function selectContents<R extends EventRow>(
  tx: Tx,
  kind: EventKind<R>,
  entries: readonly EventContent[],
): Promise<Map<string, string>> {
  const distinct = new Map(entries.map((entry) => [identityOf(entry), entry]));
  const found = await selectEvents(tx, kind.table, [...distinct.values()]);
  return new Map(found.map((one) => [identityOf(one), one.content]));
}

/**
 * Inserts rows of distinct identities. `lost` holds the content of those that another call has stored
 * in the meantime, `full` the identities that found no room in their millisecond.
 */
export async function placeEvents<R extends EventRow>(
  tx: Tx,
  kind: EventKind<R>,
  rows: readonly NewEntry<R>[],
): Promise<{ lost: ReadonlyMap<string, string>; full: ReadonlySet<string> }> {
  const lost = new Map<string, string>();
  let pending = rows.map((row): Placed<R> => ({ ...row, slot: null }));
  for (let pass = 1; pending.length > 0 && pass <= NEXT_SLOT_PASSES + FREE_SLOT_PASSES; pass += 1) {
    const placed = pass > NEXT_SLOT_PASSES ? await withFreeSlots(tx, kind.table, pending) : pending;
    const inserted = await kind.insert(
      tx,
      placed.map(({ row, player_key, slot }) => ({ ...row, player_key, slot })),
    );
    const done = new Set(inserted.map(identityOf));
    const rest = pending.filter((one) => !done.has(one.identity));
    if (rest.length > 0) {
      for (const [identity, content] of await selectContents(tx, kind, rest)) {
        lost.set(identity, content);
      }
    }
    pending = rest.filter((one) => !lost.has(one.identity));
  }
  return { lost, full: new Set(pending.map((one) => one.identity)) };
}
