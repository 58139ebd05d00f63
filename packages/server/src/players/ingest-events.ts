/**
 * Ingests deposits or bets (platform-api): judged in the order of the call, written set by set. Locks follow
 * player-sql.ts. Nothing read before a lock is trusted after it: players are inserted under the lock on names
 * after a second read, and a row is accepted only when its insert reports it as new. So exactly one of two
 * calls accepts the same row, and calls over the same rows cannot deadlock, whatever their order.
 */
import type { EventKind } from "@red/contract/explanation";
import { betRow, depositRow } from "@red/contract/ingest";
import type { IngestResult } from "@red/contract/ingest";
import type { Language } from "@red/contract/texts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import {
  ensureMonths,
  EVENT_EPOCH_MS,
  identityOf,
  monthOf,
  monthsOf,
  NUMBER_HELD_MS,
  selectHeldNumbers,
  selectLatestInstant,
} from "./event-sql.ts";
import type { EventIdentity } from "./event-sql.ts";
import { insertPlayers, lockPlayerNames, raisePlayerVersions } from "./player-sql.ts";
import { selectDetachedMonths } from "./detach-month.ts";
import { concludeIngest, readRows, rejected } from "./ingest-rows.ts";
import type { Numbered, Verdict } from "./ingest-rows.ts";
import { awaitCrowds, placeEvents, selectContents } from "./place-events.ts";
import type { NewEntry } from "./place-events.ts";
import { nameKeyOf, readPlayerBook } from "./player-book.ts";
import type { PlayerBook } from "./player-book.ts";
import * as z from "zod/mini";

/** An incoming row in the names that both kinds share; codes are in the order of its columns. */
interface IncomingEvent extends EventIdentity {
  readonly player_id: string;
  readonly user_name: string;
  readonly amount_cents: number;
  readonly codes: readonly number[];
}

const SCHEMAS: Readonly<Record<EventKind, z.ZodMiniType<IncomingEvent>>> = {
  deposit: z.pipe(
    depositRow,
    z.transform(({ order_no, amount, channel, client, ...row }) => ({
      ...row,
      no: order_no,
      amount_cents: amount,
      codes: [channel, client],
    })),
  ),
  bet: z.pipe(
    betRow,
    z.transform(({ bet_no, valid_bet_amount, platform, ...row }) => ({
      ...row,
      no: bet_no,
      amount_cents: valid_bet_amount,
      codes: [platform],
    })),
  ),
};

interface Entry extends IncomingEvent {
  readonly index: number;
  readonly identity: string;
  /** As in `StoredEvent.content`. */
  readonly content: string;
}

interface Decision {
  readonly verdicts: Map<number, Verdict>;
  /** The first row of every new identity. */
  readonly fresh: readonly Entry[];
  /** Players to insert: user_name by player_id. */
  readonly added: ReadonlyMap<string, string>;
}

/** Whether player_id and user_name belong together. A new player is added to the maps. */
function matchesPlayer(
  row: IncomingEvent,
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

/** Judges the rows in turn; a rejected row adds no player. */
function decide(
  entries: readonly Entry[],
  stored: ReadonlyMap<string, string>,
  book: PlayerBook,
  language: Language,
): Decision {
  const names = new Map([...book.players].map(([id, player]) => [id, player.name_key]));
  const holders = new Map(book.holders);
  const contents = new Map(stored);
  const verdicts = new Map<number, Verdict>();
  const fresh: Entry[] = [];
  const added = new Map<string, string>();
  for (const entry of entries) {
    const { player_id, user_name, index, identity } = entry;
    const content = contents.get(identity);
    const isUnknown = !names.has(player_id);
    if (isUnknown && content !== undefined) {
      verdicts.set(index, rejected("conflict", language));
    } else if (!matchesPlayer(entry, nameKeyOf(book, user_name), names, holders)) {
      verdicts.set(index, rejected("player_mismatch", language));
    } else if (content === undefined) {
      contents.set(identity, entry.content);
      fresh.push(entry);
      verdicts.set(index, "accepted");
      if (isUnknown) {
        added.set(player_id, user_name);
      }
    } else {
      const isSame = content === entry.content;
      verdicts.set(index, isSame ? "duplicate" : rejected("conflict", language));
    }
  }
  return { verdicts, fresh, added };
}

/** Rows whose `created_at` is neither before the ids begin nor too far ahead nor in a detached month. */
async function keepInRange(
  tx: Tx,
  kind: EventKind,
  rows: readonly Numbered<IncomingEvent>[],
  language: Language,
  verdicts: Verdict[],
): Promise<Numbered<IncomingEvent>[]> {
  const latest = (await selectLatestInstant(tx)).getTime();
  const detached = await selectDetachedMonths(tx, kind);
  return rows.filter(({ index, row }) => {
    const at = row.created_at.getTime();
    const isInRange = at >= EVENT_EPOCH_MS && at <= latest;
    if (isInRange && !detached.has(monthOf(row.created_at))) {
      return true;
    }
    verdicts[index] = rejected(isInRange ? "created_at_detached" : "created_at_range", language);
    return false;
  });
}

/**
 * New rows whose number their player already has at another time within a day, stored or earlier in the call;
 * the players are locked.
 */
async function findNumbersAgain(
  tx: Tx,
  kind: EventKind,
  rows: readonly NewEntry[],
): Promise<ReadonlySet<string>> {
  const repeated = new Set((await selectHeldNumbers(tx, kind, rows)).map(identityOf));
  const taken = new Map<string, number[]>();
  for (const { no, created_at, player_key, identity } of rows) {
    const key = `${player_key} ${no}`;
    const at = created_at.getTime();
    const times = taken.get(key) ?? [];
    if (times.some((other) => Math.abs(at - other) <= NUMBER_HELD_MS)) {
      repeated.add(identity);
    } else if (!repeated.has(identity)) {
      taken.set(key, [...times, at]);
    }
  }
  return repeated;
}

/** Inserts the new players and the rows, then corrects the verdicts by the result. */
async function write(
  tx: Tx,
  kind: EventKind,
  entries: readonly Entry[],
  decision: Decision,
  book: PlayerBook,
  language: Language,
): Promise<void> {
  const { verdicts, fresh, added } = decision;
  await awaitCrowds(tx, kind, fresh);
  const newPlayers = [...added].map(([player_id, user_name]) => ({
    player_id,
    user_name,
    blocked: false,
  }));
  const newKeys = newPlayers.length > 0 ? await insertPlayers(tx, newPlayers) : new Map();
  const placed = fresh.map((entry) => {
    const { player_id } = entry;
    const player_key: number | null | undefined =
      book.players.get(player_id)?.player_key ?? newKeys.get(player_id);
    if (player_key === undefined || player_key === null) {
      throw new Error("a row that is new has no player");
    }
    return { ...entry, player_key };
  });
  await raisePlayerVersions(tx, [...new Set(placed.map((entry) => entry.player_key))], true);
  const repeated = await findNumbersAgain(tx, kind, placed);
  const free = placed.filter((entry) => !repeated.has(entry.identity));
  const { lost, full } = await placeEvents(tx, kind, free);
  for (const { index, identity, content } of entries) {
    const other = lost.get(identity);
    const verdict = verdicts.get(index);
    const isMismatch = typeof verdict === "object" && verdict.code === "player_mismatch";
    if (repeated.has(identity) && !isMismatch) {
      verdicts.set(index, rejected("number_again", language));
    } else if (full.has(identity) && !isMismatch) {
      verdicts.set(index, rejected("created_at_full", language));
    } else if (other !== undefined && !isMismatch) {
      verdicts.set(index, other === content ? "duplicate" : rejected("conflict", language));
    }
  }
}

/**
 * An equal row is a duplicate; the same identity with other content is rejected `conflict`. The same number of the
 * same player at another time within a day is a `conflict` too, with a reason of its own: a time that was parsed
 * or converted differently would count the row twice. An unknown player is added from `player_id` and `user_name`.
 * When these belong to different players (names compared without case, as they are now) the row is rejected
 * `player_mismatch`, even if stored already. `created_at` is cut to the millisecond. It is rejected before
 * 2020-01-01 UTC, more than 24 hours ahead, and when its millisecond is full.
 */
export async function ingestEvents(
  tx: Tx,
  actor: Actor,
  kind: EventKind,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const verdicts: Verdict[] = [];
  const read = await readRows(SCHEMAS[kind], input, language, verdicts);
  const rows = await keepInRange(tx, kind, read, language, verdicts);
  const entries = rows.map(({ index, row }): Entry => {
    const content = [row.amount_cents, ...row.codes, row.player_id].join(" ");
    return { ...row, index, content, identity: identityOf(row) };
  });
  await ensureMonths(tx, kind, monthsOf(entries.map((entry) => entry.created_at)));
  const stored = await selectContents(tx, kind, entries);
  let book = await readPlayerBook(tx, entries);
  let decision = decide(entries, stored, book, language);
  if (decision.added.size > 0) {
    await lockPlayerNames(tx);
    book = await readPlayerBook(tx, entries);
    decision = decide(entries, stored, book, language);
  }
  if (decision.fresh.length > 0) {
    await write(tx, kind, entries, decision, book, language);
  }
  for (const [index, verdict] of decision.verdicts) {
    verdicts[index] = verdict;
  }
  const call = { action: `ingest_${kind}s`, object_type: kind };
  return await concludeIngest(tx, actor, call, verdicts);
}
