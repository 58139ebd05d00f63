/**
 * Takes in deposits or bets (platform-api): judged in the order of the call, written set by set.
 *
 * Locks follow players/player-sql.ts. What a call has read before it held a lock is never trusted to still be
 * so: players are added under the lock on names after reading anew, and a row is accepted only when
 * the insert itself says that it was not there. So of two calls with the same row exactly one accepts
 * it, and calls over the same rows in any order wait for each other in a line.
 */
import type { IngestResult } from "@red/contract/ingest";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import {
  ensureMonths,
  EVENT_EPOCH_MS,
  identityOf,
  monthsOf,
  NUMBER_HELD_MS,
  selectHeldNumbers,
  selectLatestInstant,
} from "./event-sql.ts";
import { insertPlayers, lockPlayerNames, raisePlayerVersions } from "./player-sql.ts";
import { concludeIngest, readRows, rejected } from "./ingest-rows.ts";
import type { Numbered, Verdict } from "./ingest-rows.ts";
import { awaitCrowds, placeEvents, selectContents } from "./place-events.ts";
import type { Entry, EventKind, EventRow, NewEntry } from "./place-events.ts";
import { nameKeyOf, readPlayerBook } from "./player-book.ts";
import type { PlayerBook } from "./player-book.ts";

interface Decision<R> {
  readonly verdicts: Map<number, Verdict>;
  /** The first row of every identity that is new. */
  readonly fresh: readonly Entry<R>[];
  /** Players to be added: user_name by player_id. */
  readonly added: ReadonlyMap<string, string>;
}

/** Is the row's player the one of its name? A new player is put into the maps. */
function matchesPlayer(
  row: EventRow,
  name_key: string,
  names: Map<string, string>,
  holders: Map<string, string>,
): boolean {
  const known = names.get(row.player_id);
  if (known !== undefined) {
    return known === name_key;
  }
  if (holders.has(name_key)) {
    return false;
  }
  names.set(row.player_id, name_key);
  holders.set(name_key, row.player_id);
  return true;
}

/** Judges the rows in turn; a row that is rejected adds no player. */
function decide<R extends EventRow>(
  entries: readonly Entry<R>[],
  stored: ReadonlyMap<string, string>,
  book: PlayerBook,
  language: Language,
): Decision<R> {
  const names = new Map([...book.players].map(([id, player]) => [id, player.name_key]));
  const holders = new Map(book.holders);
  const contents = new Map(stored);
  const verdicts = new Map<number, Verdict>();
  const fresh: Entry<R>[] = [];
  const added = new Map<string, string>();
  for (const entry of entries) {
    const { row, index, identity } = entry;
    const content = contents.get(identity);
    const isUnknown = !names.has(row.player_id);
    if (isUnknown && content !== undefined) {
      verdicts.set(index, rejected("conflict", language));
    } else if (!matchesPlayer(row, nameKeyOf(book, row.user_name), names, holders)) {
      verdicts.set(index, rejected("player_mismatch", language));
    } else if (content === undefined) {
      contents.set(identity, entry.content);
      fresh.push(entry);
      verdicts.set(index, "accepted");
      if (isUnknown) {
        added.set(row.player_id, row.user_name);
      }
    } else {
      const isSame = content === entry.content;
      verdicts.set(index, isSame ? "duplicate" : rejected("conflict", language));
    }
  }
  return { verdicts, fresh, added };
}

/** Rows whose `created_at` is neither before the ids begin nor too far ahead. */
async function keepInRange<R extends EventRow>(
  tx: Tx,
  rows: readonly Numbered<R>[],
  language: Language,
  verdicts: Verdict[],
): Promise<Numbered<R>[]> {
  const latest = (await selectLatestInstant(tx)).getTime();
  return rows.filter(({ index, row }) => {
    const at = row.created_at.getTime();
    if (at >= EVENT_EPOCH_MS && at <= latest) {
      return true;
    }
    verdicts[index] = rejected("created_at_range", language);
    return false;
  });
}

/**
 * Of new rows, in the order of the call, those whose number their player has already at another time
 * within a day, stored or in a row before; the players are locked.
 */
async function findNumbersAgain<R extends EventRow>(
  tx: Tx,
  kind: EventKind<R>,
  rows: readonly NewEntry<R>[],
): Promise<ReadonlySet<string>> {
  const again = new Set((await selectHeldNumbers(tx, kind.table, rows)).map(identityOf));
  const taken = new Map<string, number[]>();
  for (const { no, created_at, player_key, identity } of rows) {
    const key = `${player_key} ${no}`;
    const at = created_at.getTime();
    const times = taken.get(key) ?? [];
    if (times.some((other) => Math.abs(at - other) <= NUMBER_HELD_MS)) {
      again.add(identity);
    } else if (!again.has(identity)) {
      taken.set(key, [...times, at]);
    }
  }
  return again;
}

/** Adds the players that are new and writes the rows, then corrects the verdicts by what came of it. */
async function write<R extends EventRow>(
  tx: Tx,
  kind: EventKind<R>,
  entries: readonly Entry<R>[],
  decision: Decision<R>,
  book: PlayerBook,
  language: Language,
): Promise<void> {
  const { verdicts, fresh, added } = decision;
  await awaitCrowds(tx, kind.table, fresh);
  const newPlayers = [...added].map(([player_id, user_name]) => ({
    player_id,
    user_name,
    blocked: false,
  }));
  const newKeys = newPlayers.length > 0 ? await insertPlayers(tx, newPlayers) : new Map();
  const placed = fresh.map((entry) => {
    const { player_id } = entry.row;
    const player_key: number | null | undefined =
      book.players.get(player_id)?.player_key ?? newKeys.get(player_id);
    if (player_key === undefined || player_key === null) {
      throw new Error("a row that is new has no player");
    }
    return { ...entry, player_key };
  });
  await raisePlayerVersions(tx, [...new Set(placed.map((one) => one.player_key))]);
  const again = await findNumbersAgain(tx, kind, placed);
  const free = placed.filter((one) => !again.has(one.identity));
  const { lost, full } = await placeEvents(tx, kind, free);
  for (const { index, identity, content } of entries) {
    const other = lost.get(identity);
    const verdict = verdicts.get(index);
    const isMismatch = typeof verdict === "object" && verdict.code === "player_mismatch";
    if (again.has(identity) && !isMismatch) {
      verdicts.set(index, rejected("number_again", language));
    } else if (full.has(identity) && !isMismatch) {
      verdicts.set(index, rejected("created_at_full", language));
    } else if (other !== undefined && !isMismatch) {
      verdicts.set(index, other === content ? "duplicate" : rejected("conflict", language));
    }
  }
}

/**
 * The same row again is a duplicate; the same identity with other content is rejected `conflict`, and so
 * is the same number of the same player at another time within a day: a time that was read or
 * converted in another way would count the row twice. An unknown player is added from `player_id` and
 * `user_name`; where the two do not belong to the same player (names compared without case, as they are
 * now) the row is rejected `player_mismatch`, also when it is there already. `created_at` counts to the
 * millisecond, what is finer is cut off; before 2020-01-01 UTC or more than 24 hours ahead it is
 * rejected, as it is when its millisecond is full.
 */
export async function ingestEvents<R extends EventRow>(
  tx: Tx,
  actor: Actor,
  kind: EventKind<R>,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const verdicts: Verdict[] = [];
  const read = await readRows(kind.schema, input, language, verdicts);
  const rows = await keepInRange(tx, read, language, verdicts);
  const entries = rows.map(({ index, row }): Entry<R> => {
    const { created_at } = row;
    const no = kind.noOf(row);
    const content = kind.contentOf(row);
    return { index, row, no, created_at, content, identity: identityOf({ no, created_at }) };
  });
  await ensureMonths(tx, kind.table, monthsOf(entries.map((entry) => entry.created_at)));
  const stored = await selectContents(tx, kind, entries);
  const pairs = rows.map(({ row }) => row);
  let book = await readPlayerBook(tx, pairs);
  let decision = decide(entries, stored, book, language);
  if (decision.added.size > 0) {
    await lockPlayerNames(tx);
    book = await readPlayerBook(tx, pairs);
    decision = decide(entries, stored, book, language);
  }
  if (decision.fresh.length > 0) {
    await write(tx, kind, entries, decision, book, language);
  }
  for (const [index, verdict] of decision.verdicts) {
    verdicts[index] = verdict;
  }
  const call = { action: `ingest_${kind.table}s`, object_type: kind.table };
  return await concludeIngest(tx, actor, call, verdicts);
}
