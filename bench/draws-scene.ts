/** A round to draw in: players with real deposits and some extra times, and a pool of ten prizes. */
import { sql } from "kysely";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import { ingestEvents } from "../packages/server/src/events/ingest-events.ts";

export interface Scene {
  readonly rounds_id: number;
  readonly pool_id: number;
  /** Players are `p1` … with accounts `user1` …; their `player_key` is the number. */
  readonly players: number;
  readonly prizes: readonly ScenePrize[];
}

export interface ScenePrize {
  readonly id: number;
  readonly award_name: string;
  readonly cents: number;
  readonly weight: number;
}

/** Cents of deposits that earn a draw. */
export const DRAW_CENTS = 10_000;
/** Deposits of each player at first, in draws: more than a bench can use up. */
const DRAWS_EACH = 5_000;
/** Every so many-th player has an extra time. */
const EXTRA_EVERY = 20;

/** Fills an empty, migrated database. */
export async function makeScene(db: Db, { players }: { readonly players: number }): Promise<Scene> {
  const run = async (text: string) => await sql.raw(text).execute(db);
  await run(
    `insert into player (player_id, user_name) select 'p' || g, 'user' || g from generate_series(1, ${players}) g`,
  );
  await run("insert into activity_tag values ('bench', 'bench')");
  await run("insert into pool (pool_name) values ('bench')");
  await run(`insert into prize (pool_id, award_name, award_price_cents, weight, award_total, floors)
    select 1, '奖品' || g, case when g = 10 then 0 else g * 88 end,
      (array[1, 5, 10, 20, 50, 100, 200, 500, 1000, 3000])[g], 100000000, g = 8
    from generate_series(1, 10) g`);
  await run("insert into pool_version (pool_id, version, prizes) values (1, 1, '[]')");
  await run(`insert into activity (rounds_name, tag, red_code, pool_id, condition_name, condition_formula,
      condition_type, condition_value_cents, condition_times, turnover, achieve_start_time,
      achieve_end_time, start_time, end_time, start_date)
    values ('bench', 'bench', 'RED_PACKET', 1, '2', '1', '2', ${DRAW_CENTS}, 1, 3, now() - interval '1 day',
      now() + interval '1 day', now() - interval '1 day', now() + interval '1 day', current_date)`);
  await run("select ensure_draw_partition(1)");
  await run(
    "select ensure_month('deposit', m::date) from unnest(array[now() - interval '1 hour', now()]) at, date_trunc('month', at, 'UTC') m",
  );
  await run(`insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
    select ((extract(epoch from at) * 1000)::bigint - 1577836800000 + g / 10) * 16384 + g % 10, 'o' || g, g,
      ${DRAW_CENTS * DRAWS_EACH}, 1, 1, at + g / 10 * interval '1 ms'
    from generate_series(1, ${players}) g,
      lateral (select date_trunc('milliseconds', now() - interval '1 hour') as at) a`);
  await run(`insert into extra_time (player_key, tag, expire_time, granted_by)
    select g, 'bench', now() + interval '2 days', 'bench'
    from generate_series(1, ${players}, ${EXTRA_EVERY}) g`);
  await run("vacuum analyze");
  const { rows: prizes } = await sql<ScenePrize>`
    select id, award_name, award_price_cents as cents, weight from prize order by id`.execute(db);
  return { rounds_id: 1, pool_id: 1, players, prizes };
}

/** A random player's number. */
export function somePlayer({ players }: Scene): number {
  return 1 + Math.floor(Math.random() * players);
}

const ACTOR = { kind: "key", name: "rk_bench", request_id: "bench", address: "127.0.0.1" } as const;
const ROWS_PER_CALL = 200;
let deposits = 0;

/** Takes in one call of deposits of random players, as the platform sends them. */
export async function depositOnce(db: Db, scene: Scene): Promise<number> {
  const rows = Array.from({ length: ROWS_PER_CALL }, () => {
    const player = somePlayer(scene);
    deposits += 1;
    return {
      order_no: `b${process.pid}-${deposits}`,
      player_id: `p${player}`,
      user_name: `user${player}`,
      amount: "100.00",
      channel: 1,
      client: 1,
      created_at: new Date().toISOString(),
    };
  });
  const result = await inTransaction(db, (tx) => ingestEvents(tx, ACTOR, "deposit", rows, "en"));
  if (result.accepted !== ROWS_PER_CALL) {
    throw new Error(`deposits were not accepted: ${JSON.stringify(result).slice(0, 300)}`);
  }
  return ROWS_PER_CALL;
}

/** Removes all draws, so that every run starts from the same state. */
export async function clearDraws(db: Db): Promise<void> {
  const run = async (text: string) => await sql.raw(text).execute(db);
  await run("truncate draw_record, draw_request, payout, payout_attempt, job_row");
  await run("update prize set drawn = 0");
  await run(
    "update extra_time set used_log_id = null, used_rounds_id = null where used_log_id is not null",
  );
  await run("vacuum analyze draw_record, draw_request, payout, prize, extra_time, player, deposit");
}

/** Throws unless the books of the round hold exactly the answered draws: record, request, payout and stock of each. */
export async function checkAnswered(db: Db, answered: number, payouts?: "paid"): Promise<void> {
  const isPaid = payouts === "paid" ? sql`p.state = 'paid' or p.amount_cents = 0` : sql`true`;
  const { rows } = await sql<Record<string, number>>`
    select count(*) as records, count(q.log_id) as requested,
      (select count(*) from draw_request where rounds_id = 1) as requests,
      count(distinct (r.player_key, r.draw_no)) as numbers,
      count(*) filter (where p.amount_cents = r.award_price_cents and (${isPaid})) as payouts,
      (select sum(drawn)::bigint from prize where pool_id = 1) as stock,
      (select coalesce(sum(draws), 0)::bigint from (select max(draw_no) as draws from draw_record
         where rounds_id = 1 group by player_key) x) as last_numbers
    from draw_record r left join draw_request q on q.log_id = r.id left join payout p on p.log_id = r.id
    where r.rounds_id = 1`.execute(db);
  if (Object.values(rows[0] ?? {}).some((count) => count !== answered)) {
    throw new Error(`${answered} draws were answered: ${JSON.stringify(rows[0])}`);
  }
}
