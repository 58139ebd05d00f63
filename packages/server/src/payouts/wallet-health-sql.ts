/**
 * Reads and writes the wallet's health, which all processes share (behaviour §6). wallet-health.ts contains the rules.
 */
import { sql } from "kysely";
import { UNCALLED } from "./wallet-health.ts";
import type { WalletCallKind, WalletLane } from "./wallet-health.ts";
import type { Db, Tx } from "#platform/db/connection";

/** The health of both kinds of call. `now` is the database's time when the health was read. */
export interface WalletState {
  readonly now: Date;
  readonly pay: WalletLane;
  readonly query: WalletLane;
}

function lanes(db: Db) {
  return db
    .selectFrom("wallet_health")
    .select(["kind", "troubles", "trouble_since", "next_try_at", "tries", "paused_until"])
    .select(["last_answer", sql<Date>`clock_timestamp()`.as("now")]);
}

function stateOf(rows: readonly (WalletLane & { readonly now: Date })[]): WalletState {
  const laneOf = (kind: WalletCallKind): WalletLane => {
    const row = rows.find((lane) => lane.kind === kind);
    if (row === undefined) {
      return { kind, ...UNCALLED };
    }
    const { now: _clock, ...lane } = row;
    return lane;
  };
  return { now: rows.at(-1)?.now ?? new Date(), pay: laneOf("pay"), query: laneOf("query") };
}

/** Inserts the wallet if it is new. From now on the console shows the status of this wallet. */
export async function insertWallet(tx: Tx, wallet: string): Promise<void> {
  await tx
    .insertInto("wallet_health")
    .values([
      { wallet, kind: "pay" },
      { wallet, kind: "query" },
    ])
    .onConflict((conflict) =>
      conflict.columns(["wallet", "kind"]).doUpdateSet({ used_at: sql<Date>`clock_timestamp()` }),
    )
    .execute();
}

export async function selectWallet(db: Db, wallet: string): Promise<WalletState> {
  return stateOf(await lanes(db).where("wallet", "=", wallet).execute());
}

export async function lockWallet(tx: Tx, wallet: string): Promise<WalletState> {
  const rows = await lanes(tx).where("wallet", "=", wallet).orderBy("kind").forUpdate().execute();
  return stateOf(rows);
}

/** Returns the health of the wallet with which a worker was started last, or null when no worker has run yet. */
export async function selectLatestWallet(db: Db): Promise<WalletState | null> {
  const rows = await lanes(db)
    .where("wallet", "=", (row) =>
      row.selectFrom("wallet_health").select("wallet").orderBy("used_at", "desc").limit(1),
    )
    .execute();
  return rows.length === 0 ? null : stateOf(rows);
}

export async function updateWallet(
  tx: Tx,
  wallet: string,
  changed: readonly WalletLane[],
): Promise<void> {
  for (const { kind, ...lane } of changed) {
    await tx
      .updateTable("wallet_health")
      .set(lane)
      .where("wallet", "=", wallet)
      .where("kind", "=", kind)
      .execute();
  }
}

/**
 * Returns the time at which the next call to a locked wallet is due at an even pace, in milliseconds since 1970.
 * Returns 0 before the first call.
 */
export async function selectSlot(tx: Tx, wallet: string): Promise<number> {
  const row = await tx
    .selectFrom("wallet_pace")
    .select("slot_ms")
    .where("wallet", "=", wallet)
    .executeTakeFirst();
  return row?.slot_ms ?? 0;
}

export async function updateSlot(tx: Tx, wallet: string, slot_ms: number): Promise<void> {
  await tx
    .insertInto("wallet_pace")
    .values({ wallet, slot_ms })
    .onConflict((conflict) => conflict.column("wallet").doUpdateSet({ slot_ms }))
    .execute();
}
