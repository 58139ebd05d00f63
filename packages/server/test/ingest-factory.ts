/** Valid ingest rows, and a round to draw in. */
import type { IngestResult } from "@red/contract/events/ingest";
import { ingestEvents } from "#events/ingest-events";
import { ingestPlayers } from "#events/ingest-players";
import { reverseEvents } from "#events/ingest-reversals";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { makePlayer as insertPlayer, makeRound as insertRound } from "#test/factories";
import type { MadePlayer } from "#test/factories";
import type { Insertable } from "kysely";

export const PLATFORM: Actor = {
  kind: "key",
  name: "rk_test",
  request_id: "r-1",
  address: "192.0.2.8",
};

type Feed = (tx: Tx, rows: readonly unknown[]) => Promise<IngestResult>;

const FEEDS = {
  players: (tx, rows) => ingestPlayers(tx, PLATFORM, rows, "en"),
  deposits: (tx, rows) => ingestEvents(tx, PLATFORM, "deposit", rows, "en"),
  bets: (tx, rows) => ingestEvents(tx, PLATFORM, "bet", rows, "en"),
  reversals: (tx, rows) => reverseEvents(tx, PLATFORM, "deposit", rows, "en"),
  voids: (tx, rows) => reverseEvents(tx, PLATFORM, "bet", rows, "en"),
} as const satisfies Record<string, Feed>;

/** Feeds rows in one transaction. */
export async function feed(db: Db, kind: keyof typeof FEEDS, rows: readonly unknown[]) {
  return await inTransaction(db, (tx) => FEEDS[kind](tx, rows));
}

/** The answer without rejected rows. */
export function counted(counts: Partial<IngestResult>): IngestResult {
  return { accepted: 0, updated: 0, duplicates: 0, rejected: [], ...counts };
}

let numbers = 0;

/** A number that is unique within the test file. */
export function fresh(what: string): string {
  numbers += 1;
  return `${what}${numbers}`;
}

/** Noon of 10 May 2024, Shanghai, plus unique milliseconds. */
function instant(): string {
  return new Date(Date.UTC(2024, 4, 10, 4) + numbers).toISOString();
}

/** 100.00 by player `p`, account `p-name`. */
export function depositOf(player_id: string, changes: object = {}) {
  return {
    order_no: fresh("d"),
    player_id,
    user_name: `${player_id}-name`,
    amount: "100.00",
    channel: 3,
    client: 2,
    created_at: instant(),
    ...changes,
  };
}

/** 100.00 by player `p`, account `p-name`. */
export function betOf(player_id: string, changes: object = {}) {
  return {
    bet_no: fresh("b"),
    player_id,
    user_name: `${player_id}-name`,
    valid_bet_amount: "100.00",
    platform: 1234,
    created_at: instant(),
    ...changes,
  };
}

type Event = ReturnType<typeof depositOf> | ReturnType<typeof betOf>;

export function eventOf(
  kind: "deposits" | "bets",
  player_id: string,
  amount: string,
  created_at: string,
) {
  return kind === "bets"
    ? betOf(player_id, { valid_bet_amount: amount, created_at })
    : depositOf(player_id, { amount, created_at });
}

export async function takeBack(
  db: Db,
  rows: readonly Event[],
  more: { readonly reason?: string } = {},
): Promise<IngestResult> {
  const kind = rows.some((row) => "bet_no" in row) ? "voids" : "reversals";
  const taken = rows.map(({ created_at, ...row }) =>
    "bet_no" in row
      ? { bet_no: row.bet_no, created_at, ...more }
      : { order_no: row.order_no, created_at, ...more },
  );
  return await feed(db, kind, taken);
}

/** Makes a player without deposits or bets; returns the key. */
export async function makePlayer(db: Db, player_id = fresh("p")): Promise<number> {
  return (await insertPlayer(db, { player_id, user_name: `${player_id}-name` })).player_key;
}

type RoundValues = Insertable<Database["activity"]>;

/** Makes a round with a draw for every full 120 of deposits on 10 May 2024, Shanghai; returns its id. */
export async function makeRound(db: Db, changes: Partial<RoundValues> = {}): Promise<number> {
  const { rounds_id } = await insertRound(db, {
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value_cents: 12_000,
    achieve_start_time: new Date("2024-05-10T00:00:00+08:00"),
    achieve_end_time: new Date("2024-05-10T23:59:59+08:00"),
    start_time: new Date("2024-05-10T20:00:00+08:00"),
    end_time: new Date("2024-05-10T22:00:00+08:00"),
    start_date: "2024-05-10",
    ...changes,
  });
  return rounds_id;
}

/** A draw for each 120 of deposits. */
export const PER_120 = {
  condition_name: "2",
  condition_formula: "1",
  condition_type: "2",
  condition_value_cents: 12_000,
} as const;

export function ago(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

/** A player with a new id and account. */
export async function makeFedPlayer(db: Db): Promise<MadePlayer> {
  const player_id = fresh("p");
  return await insertPlayer(db, { player_id, user_name: `${player_id}-name` });
}
