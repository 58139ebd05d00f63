/** Reads with plain SQL the rows by which test/outside-risk.ts values a change. */
import type { Database } from "#platform/db/schema";
import type { TestDb } from "#test/test-db";
import type { Selectable } from "kysely";

export type Round = Selectable<Database["activity"]>;
export type Prize = Selectable<Database["prize"]>;
export type Player = Selectable<Database["player"]>;
type DrawRow = Selectable<Database["draw_record"]>;

/** A deposit or bet that is not reversed. */
interface Earning {
  readonly kind: "deposit" | "bet";
  readonly player_key: number;
  readonly cents: number;
  readonly platform: number;
  readonly at: number;
}

export interface State {
  readonly now: number;
  /** The value of a piece without a price, in whole cents. */
  readonly goods: number;
  readonly rounds: readonly Round[];
  readonly prizes: readonly Prize[];
  readonly versions: readonly Selectable<Database["pool_version"]>[];
  readonly draws: readonly DrawRow[];
  readonly earnings: readonly Earning[];
  readonly players: readonly Player[];
  readonly extras: readonly Selectable<Database["extra_time"]>[];
  readonly exclusions: readonly Selectable<Database["exclusion"]>[];
  readonly payouts: readonly Selectable<Database["payout"]>[];
}

export async function readState({ sql }: TestDb): Promise<State> {
  const [clock, setting, rounds, prizes, versions, draws] = await Promise.all([
    sql<{ now: Date }>`select now()`,
    sql<{ value: string }>`select value from setting where key = 'goods_value'`,
    sql<Round>`select * from activity order by id`,
    sql<Prize>`select * from prize order by id`,
    sql<State["versions"][number]>`select * from pool_version order by pool_id, version`,
    sql<DrawRow>`select * from draw_record`,
  ]);
  const [earnings, players, extras, exclusions, payouts] = await Promise.all([
    sql<Earning>`
      select 'deposit' as kind, player_key, amount_cents as cents, 0 as platform,
        extract(epoch from created_at)::float8 * 1000 as at from deposit where reversed_at is null
      union all
      select 'bet', player_key, valid_bet_cents, platform, extract(epoch from created_at)::float8 * 1000
      from bet where voided_at is null`,
    sql<Player>`select * from player`,
    sql<State["extras"][number]>`select * from extra_time`,
    sql<State["exclusions"][number]>`select * from exclusion`,
    sql<State["payouts"][number]>`select * from payout`,
  ]);
  return {
    now: clock[0]?.now.getTime() ?? 0,
    goods: Math.round(Number(setting[0]?.value ?? "5000.00") * 100),
    rounds,
    prizes,
    versions,
    draws,
    earnings,
    players,
    extras,
    exclusions,
    payouts,
  };
}

export const DAY_MS = 86_400_000;

export const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The business day of an instant, in Shanghai. */
export const dayOf = (ms: number) => new Date(ms + 8 * 3_600_000).toISOString().slice(0, 10);

/** The earlier state as it would be at the clock of `to`, `ms` later, without the changes in between. */
export function movedTo(from: State, to: State, ms: number): State {
  const earlier = (at: Date) => new Date(at.getTime() - ms);
  return {
    ...from,
    now: to.now,
    draws: to.draws,
    extras: to.extras,
    versions: from.versions.map((row) => ({ ...row, created_at: earlier(row.created_at) })),
    rounds: from.rounds.map((row) => ({
      ...row,
      achieve_start_time: earlier(row.achieve_start_time),
      achieve_end_time: earlier(row.achieve_end_time),
      start_time: earlier(row.start_time),
      end_time: earlier(row.end_time),
      start_date: dayOf(row.start_time.getTime() - ms),
      created_at: earlier(row.created_at),
    })),
  };
}
