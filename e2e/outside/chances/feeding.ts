/** Feeds rows and their reversals through signed calls, in batches, some of them twice. */
import { claimEqual } from "../claims.ts";
import { dig, listAt } from "../json.ts";
import type { Platform } from "../platform.ts";
import type { FatedRow, Kind } from "./people.ts";

const BATCH = 5_000;

export function playerId(player: number): string {
  return `c-${player}`;
}

export function userName(player: number): string {
  return `Chance_${player}`;
}

const CALLS = {
  deposit: { rows: "deposits", back: "reversals", reversals: "/open/v1/deposits/reversals" },
  bet: { rows: "bets", back: "voids", reversals: "/open/v1/bets/voids" },
} as const;

function identity({ kind, number, at }: FatedRow) {
  const created_at = new Date(at).toISOString();
  return kind === "deposit" ? { order_no: number, created_at } : { bet_no: number, created_at };
}

function sent(row: FatedRow, index: number, amount = row.amount) {
  const whole = {
    ...identity(row),
    player_id: playerId(row.player),
    user_name: userName(row.player),
  };
  return row.kind === "deposit"
    ? { ...whole, amount, channel: (index % 9) + 1, client: (index % 3) + 1 }
    : { ...whole, valid_bet_amount: amount, platform: row.platform };
}

function batches<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / BATCH) }, (_, at) =>
    items.slice(at * BATCH, (at + 1) * BATCH),
  );
}

/** Calls in batches; adds up accepted, known and rejected rows, with the codes of the rejected ones. */
async function send(platform: Platform, path: string, list: string, rows: readonly object[]) {
  const counts = { accepted: 0, duplicates: 0, rejected: new Map<string, number>() };
  for (const batch of batches(rows)) {
    const { status, body } = await platform.call("POST", path, { [list]: batch });
    if (status !== 200) {
      throw new Error(`POST ${path} → ${status} ${JSON.stringify(body).slice(0, 300)}`);
    }
    counts.accepted += Number(dig(body, "accepted"));
    counts.duplicates += Number(dig(body, "duplicates"));
    for (const one of listAt(body, "rejected")) {
      const code = String(dig(one, "code"));
      counts.rejected.set(code, (counts.rejected.get(code) ?? 0) + 1);
    }
  }
  return counts;
}

function ofKind(rows: readonly FatedRow[], kind: Kind): FatedRow[] {
  return rows.filter((row) => row.kind === kind);
}

/** Registers players, who may have no row at all. */
export async function feedPlayers(platform: Platform, count: number): Promise<void> {
  const players = Array.from({ length: count }, (_, player) => ({
    player_id: playerId(player),
    user_name: userName(player),
  }));
  const { accepted } = await send(platform, "/open/v1/players", "players", players);
  claimEqual(`${count} players are taken`, accepted, count);
}

/** Feeds the rows; repeats some, and some with another amount, which must be ignored. */
export async function feedRows(
  platform: Platform,
  rows: readonly FatedRow[],
  what: string,
): Promise<void> {
  for (const kind of ["deposit", "bet"] as const) {
    const own = ofKind(rows, kind);
    const { rows: list } = CALLS[kind];
    const path = `/open/v1/${list}`;
    const bodies = own.map((row, index) => sent(row, index));
    const first = await send(platform, path, list, bodies);
    claimEqual(`${own.length} ${what} ${list} are taken`, first.accepted, own.length);
    const twice = bodies.filter((_, index) => index % 3 === 0);
    const second = await send(platform, path, list, twice);
    claimEqual(`${twice.length} of them again are duplicates`, second.duplicates, twice.length);
    const others = own
      .map((row, index) => sent(row, index, "7777.77"))
      .filter((_, index) => index % 50 === 0);
    const third = await send(platform, path, list, others);
    const conflicts = third.rejected.get("conflict") ?? 0;
    claimEqual(`${others.length} with another amount are rejected`, conflicts, others.length);
  }
}

/** Reverses deposits and voids bets; `found`: whether the rows exist already. */
export async function takeBack(
  platform: Platform,
  rows: readonly FatedRow[],
  found: boolean,
): Promise<void> {
  for (const kind of ["deposit", "bet"] as const) {
    const own = ofKind(rows, kind);
    const { back, reversals } = CALLS[kind];
    const counts = await send(platform, reversals, back, own.map(identity));
    const [seen, words] = found
      ? [counts.accepted, "are taken"]
      : [counts.rejected.get("not_found") ?? 0, "of rows not yet fed find nothing"];
    claimEqual(`${own.length} ${back} ${words}`, seen, own.length);
  }
}
