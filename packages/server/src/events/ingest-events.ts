/**
 * Ingests deposits or bets (platform-api): judges the rows in the order of the call, then writes
 * them in sets. Locks follow player-sql.ts. Data read before a lock is checked again after it:
 * players are inserted after a second read under the lock on names, rows of players who changed
 * before their lock are judged again, and a row is accepted only if its insert reports it as new.
 * So exactly one of two calls accepts the same row, and calls cannot deadlock in any order.
 */
import type { EventKind } from "@red/contract/events/event";
import { betRow, depositRow } from "@red/contract/events/ingest";
import type { IngestResult } from "@red/contract/events/ingest";
import type { Language } from "@red/contract/platform/texts";
import { setImmediate } from "node:timers/promises";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { ensureMonths, monthsOf } from "./event-sql.ts";
import { insertAllEvents, insertEvents, lockCrowds, selectFreeSlots } from "./event-slots-sql.ts";
import type { NewEvent } from "./event-slots-sql.ts";
import { selectIngestInputs } from "./ingest-inputs-sql.ts";
import type { IncomingEvent } from "./ingest-inputs-sql.ts";
import { concludeIngest, readRows, rejected } from "./ingest-rows.ts";
import type { Numbered, Verdict } from "./ingest-rows.ts";
import { judgeEvents } from "./judge-events.ts";
import type { FreshEvent, Judgement } from "./judge-events.ts";
import { insertPlayers, lockDrawers, lockPlayerNames, raiseVersions } from "#players/player-sql";
import * as z from "zod/mini";

const SCHEMAS: Readonly<Record<EventKind, z.ZodMiniType<IncomingEvent>>> = {
  deposit: z.pipe(
    depositRow,
    z.transform(({ order_no, player_id, user_name, amount, channel, client, created_at }) => ({
      no: order_no,
      at: created_at.getTime(),
      player_id,
      user_name,
      amount_cents: amount,
      codes: [channel, client],
    })),
  ),
  bet: z.pipe(
    betRow,
    z.transform(({ bet_no, player_id, user_name, valid_bet_amount, platform, created_at }) => ({
      no: bet_no,
      at: created_at.getTime(),
      player_id,
      user_name,
      amount_cents: valid_bet_amount,
      codes: [platform],
    })),
  ),
};

/**
 * A call with more rows than this in one millisecond must wait for similar calls. Calls with fewer
 * rows never use up its slots together.
 */
const CROWD = 64;

/** Number of passes that try the next slot. After them, FREE_SLOT_PASSES search nearly full milliseconds. */
const NEXT_SLOT_PASSES = 3;
const FREE_SLOT_PASSES = 3;

interface Call {
  readonly kind: EventKind;
  readonly entries: readonly Numbered<IncomingEvent>[];
  readonly verdicts: Verdict[];
  readonly language: Language;
}

interface Placed extends NewEvent {
  readonly index: number;
  readonly version: number | null;
}

/** Blocks other calls with many rows of the same millisecond. Call this before locking players. */
async function awaitCrowds(tx: Tx, kind: EventKind, rows: readonly FreshEvent[]): Promise<void> {
  const counts = new Map<number, number>();
  for (const { row } of rows) {
    counts.set(row.at, (counts.get(row.at) ?? 0) + 1);
  }
  const crowds = [...counts].flatMap(([at, count]) => (count > CROWD ? [at] : []));
  if (crowds.length > 0) {
    await lockCrowds(tx, kind, crowds);
  }
}

function placedOf(rows: readonly FreshEvent[], newKeys: ReadonlyMap<string, number>): Placed[] {
  return rows.map(({ index, row, version, player_key: known }) => {
    const { no, at, player_id, amount_cents, codes } = row;
    const player_key = known ?? newKeys.get(player_id);
    if (player_key === undefined) {
      throw new Error("a row that is new has no player");
    }
    return { index, version, no, at, player_key, amount_cents, codes };
  });
}

/**
 * Judges accepted rows that conflict with another call again, on a new read. Includes other rows with the same numbers.
 */
async function judgeAgain(tx: Tx, call: Call, rows: readonly Placed[]): Promise<Placed[]> {
  if (rows.length === 0) {
    return [];
  }
  const { kind, verdicts, language } = call;
  const numbers = new Set(rows.map(({ no }) => no));
  const candidates = new Set(rows.map(({ index }) => index));
  const open = call.entries.filter(
    ({ index, row }) =>
      numbers.has(row.no) && (candidates.has(index) || verdicts[index] !== "accepted"),
  );
  const inputs = await selectIngestInputs(tx, kind, open);
  return placedOf(judgeEvents(open, inputs, candidates, language, verdicts).fresh, new Map());
}

/** Locks the players. Returns the rows that are still accepted. */
async function lockPlayersOf(
  tx: Tx,
  call: Call,
  rows: readonly Placed[],
): Promise<readonly Placed[]> {
  const keys = rows.map(({ player_key }) => player_key);
  const versions = rows.map(({ version }) => version);
  const changed = new Set(await lockDrawers(tx, keys, versions));
  if (changed.size === 0) {
    return rows;
  }
  const again = rows.filter(({ player_key }) => changed.has(player_key));
  const rest = rows.filter(({ player_key }) => !changed.has(player_key));
  return [...rest, ...(await judgeAgain(tx, call, again))];
}

/** Inserts row by row after an identity exists or an id is taken, and judges the rows that were not inserted again. */
async function placeApart(tx: Tx, call: Call, rows: readonly Placed[]): Promise<void> {
  let pending = rows;
  for (let pass = 1; pending.length > 0 && pass <= NEXT_SLOT_PASSES + FREE_SLOT_PASSES; pass += 1) {
    const slots = pass > NEXT_SLOT_PASSES ? await selectFreeSlots(tx, call.kind, pending) : [];
    const places = await insertEvents(tx, call.kind, pending, slots);
    const left = places.flatMap((at) => pending[at] ?? []);
    pending = await judgeAgain(tx, call, left);
  }
  const full = new Set(pending.map(({ no, at }) => `${at} ${no}`));
  for (const { index, row } of full.size > 0 ? call.entries : []) {
    if (full.has(`${row.at} ${row.no}`) && typeof call.verdicts[index] === "string") {
      call.verdicts[index] = rejected("created_at_full", call.language);
    }
  }
}

async function write(tx: Tx, call: Call, { fresh, added }: Judgement): Promise<void> {
  await awaitCrowds(tx, call.kind, fresh);
  const newPlayers = [...added].map(([player_id, user_name]) => ({
    player_id,
    user_name,
    blocked: false,
  }));
  const newKeys = newPlayers.length > 0 ? await insertPlayers(tx, newPlayers) : new Map();
  const rows = await lockPlayersOf(tx, call, placedOf(fresh, newKeys));
  if (!(await insertAllEvents(tx, call.kind, rows))) {
    await placeApart(tx, call, rows);
  }
  const stored = rows.filter(({ index }) => call.verdicts[index] === "accepted");
  const keys = stored.map(({ player_key }) => player_key);
  // Runs after the insert, because checking a foreign key takes longer if this transaction has
  // already changed the referenced row.
  await raiseVersions(tx, keys, true);
}

/** Judges the rows, first without locks, and writes the new rows. */
async function ingest(tx: Tx, call: Call): Promise<void> {
  const { kind, entries, verdicts, language } = call;
  const read = async () => {
    const inputs = await selectIngestInputs(tx, kind, entries);
    // A call has thousands of rows, so other requests may run before the next step.
    await setImmediate();
    return { inputs, judgement: judgeEvents(entries, inputs, null, language, verdicts) };
  };
  const { inputs, ...first } = await read();
  let { judgement } = first;
  const months = new Set(monthsOf(judgement.fresh.map(({ row }) => row.at)));
  const missing = inputs.missing.filter((month) => months.has(month));
  await ensureMonths(tx, kind, missing);
  if (judgement.added.size > 0) {
    await lockPlayerNames(tx);
    ({ judgement } = await read());
  }
  if (judgement.fresh.length > 0) {
    await write(tx, call, judgement);
  }
}

/**
 * An equal row is a duplicate; the same identity with other content is rejected with `conflict`. The same number of the
 * same player at another time within a day is also a `conflict`, with its own reason: a time that was parsed or
 * converted differently would count the row twice. An unknown player is added from `player_id` and `user_name`. If
 * these belong to different players (names compared without case, as they are now), the row is rejected with
 * `player_mismatch`, even if it is already stored. `created_at` is truncated to the millisecond. A row is rejected if
 * `created_at` is before 2020-01-01 UTC or more than 24 hours ahead, or if its millisecond is full.
 */
export async function ingestEvents(
  tx: Tx,
  actor: Actor,
  kind: EventKind,
  input: readonly unknown[],
  language: Language,
): Promise<IngestResult> {
  const verdicts: Verdict[] = [];
  const entries = await readRows(SCHEMAS[kind], input, language, verdicts);
  if (entries.length > 0) {
    await ingest(tx, { kind, entries, verdicts, language });
  }
  const audit = { action: `ingest_${kind}s`, object_type: kind };
  return await concludeIngest(tx, actor, audit, verdicts);
}
