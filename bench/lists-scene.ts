/** Large lists: bets, deposits and records with payouts, of skewed players and codes, over sixty days. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { inFlight } from "../e2e/outside/platform.ts";
import type { EventKind } from "../packages/contract/src/events/event.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { ingestEvents } from "../packages/server/src/events/ingest-events.ts";
import { reverseEvents } from "../packages/server/src/events/ingest-reversals.ts";
import {
  rebuildRollupDay,
  ROLLED_UP,
  selectRollupDays,
} from "../packages/server/src/platform/rollups/rollup-sql.ts";
import { IS_SHORT, ROWS, say } from "./report.ts";

/** Rows of each list. */
export const COUNT = ROWS ?? (IS_SHORT ? 20_000 : 10_000_000);
/** Rows of bets, when they are to be more than the others. */
export const BETS = Number(process.env["BENCH_BETS"] ?? COUNT);
/** Players are `p1` … with accounts `user1` …; their `player_key` is the number. */
const PLAYERS = IS_SHORT ? 3_000 : 200_000;
export const ROUNDS = 20;
const SPAN_MS = (IS_SHORT ? 6 : 60) * 86_400_000;
/** Of a round's draws and of its condition window. */
export const ROUND_MS = SPAN_MS / ROUNDS;
/** A whole second, so that the console can name it. The last rows come just before now. */
const FROM_MS = Math.floor((Date.now() - SPAN_MS) / 1_000) * 1_000;

/** Between the first row and the last. */
export const someTime = () => new Date(FROM_MS + Math.floor(Math.random() * SPAN_MS));
/** The beginning of a round, by its id. */
export const startOf = (round: number) => new Date(FROM_MS + (round - 1) * ROUND_MS);
/** Payouts that are neither paid nor delivered. */
const OPEN = 4_000;
const SLICE = 1_000_000;

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  say(`${what}: ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}

const fixed = (text: string) => sql.raw(text);
/** Few players, and few codes, have most rows. */
const player = fixed(`1 + floor(${PLAYERS} * random() ^ 3)::bigint`);
const platform = fixed("(array[1234, 2234, 3234, 5234, 6234, 7234])[1 + floor(6 * random() ^ 2)]");
/** Number, time and id of rows; from the number `all` on the same times come again, a little later. */
const rows = (first: number, count: number, all = COUNT) =>
  fixed(`generate_series(${first}::bigint, ${first + count - 1}::bigint) n
    cross join lateral (select ${FROM_MS} + n % ${all} * ${SPAN_MS}::bigint / ${all} + n / ${all} * 7 as ms) m
    cross join lateral (select (ms - 1577836800000) * 16384 + n % 16384 as id,
      to_timestamp(ms / 1000) + ms % 1000 * interval '1 ms' as at) t`);

const INSERTS = {
  bet: (first: number, count: number) => sql`
    insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at, voided_at)
    select id, 'b' || n, ${player}, 100 + n % 90000, ${platform}, at, case when n % 97 = 0 then at end
    from ${rows(first, count, BETS)}`,
  deposit: (first: number, count: number) => sql`
    insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at, reversed_at)
    select id, 'd' || n, ${player}, 100 + n % 90000, 1 + floor(9 * random() ^ 3),
      1 + floor(3 * random() ^ 2), at, case when n % 97 = 0 then at end
    from ${rows(first, count)}`,
  /** Two rounds at a time; each record with its payout. */
  draw_record: (first: number, count: number) => sql`
    with drawn as (
      insert into draw_record (id, rounds_id, player_key, draw_no, prize_id, award_name, award_price_cents,
        turnover, rule_version, pool_id, pool_version, ticket, exhausted, created_at)
      select t.id, 1 + (n % ${COUNT}::bigint * ${ROUNDS}::int / ${COUNT}::bigint + n % 2) % ${ROUNDS}::int, ${player},
        1 + n, z.id, z.award_name, z.award_price_cents, 3, 1, 1, 1, 0, '{}', at
      from ${rows(first, count)} join prize z on z.id = 1 + n / 2 % 10
      on conflict do nothing
      returning id, draw_no, rounds_id, player_key, award_name, award_price_cents as cents, created_at
    )
    insert into payout (log_id, rounds_id, player_key, created_at, trans_sn, award_name, amount_cents, turnover,
      red_code, state, fail_reason, paid_at)
    select id, rounds_id, player_key, created_at, 'sn' || id, award_name, cents, 3, 'RED_PACKET', state,
      case state when 'refused' then 'account frozen' end,
      case when state in ('paid', 'delivered') then created_at end
    from drawn, lateral (select case
      when draw_no % ${Math.ceil(COUNT / OPEN)}::int > 0 then case cents when 0 then 'delivered' else 'paid' end
      when cents = 0 then 'waiting_delivery' when draw_no % 3 = 0 then 'queued' else 'refused' end as state) s`,
};

async function makeRounds(db: Db): Promise<void> {
  const run = async (text: string) => await fixed(text).execute(db);
  await run(
    `insert into player (player_id, user_name) select 'p' || g, 'user' || g from generate_series(1, ${PLAYERS}) g`,
  );
  await run("insert into activity_tag values ('bench', 'bench')");
  await run("insert into pool (pool_name) values ('bench')");
  // The last two have one price.
  await run(`insert into prize (pool_id, award_name, award_price_cents, weight, award_total, floors)
    select 1, g || ' 号' || (array['红包', '大奖', '礼品'])[1 + g % 3], least(g - 1, 8) * 88, 1, 100000000, g = 8
    from generate_series(1, 10) g`);
  await run(`insert into activity (rounds_name, tag, red_code, pool_id, condition_name, condition_formula,
      condition_type, condition_value_cents, condition_times, turnover, achieve_start_time,
      achieve_end_time, start_time, end_time, start_date)
    select 'round ' || g, 'bench', 'RED_PACKET', 1, '2', '1', '2', 10000, 1, 3, at, until, at, until, at::date
    from generate_series(1, ${ROUNDS}) g,
      lateral (select to_timestamp(${FROM_MS / 1_000} + (g - 1) * ${ROUND_MS / 1_000}) as at) a,
      lateral (select at + ${ROUND_MS / 1_000} * interval '1 second' as until) u`);
  await run("select ensure_draw_partition(1)");
  await run(`insert into drawn_prize (rounds_id, award_name, award_price_cents)
    select g, award_name, award_price_cents from generate_series(1, ${ROUNDS}) g, prize`);
  await run(`select ensure_month(kind, month::date) from unnest(array['bet', 'deposit']) kind,
    generate_series(date_trunc('month', to_timestamp(${FROM_MS / 1_000}) at time zone 'UTC'),
      now() at time zone 'UTC' + interval '1 day', interval '1 month') month`);
}

/** Takes away what is cheaper to make or to check for all rows at once; answers what makes it again. */
async function setAside(db: Db, tables: readonly string[]): Promise<string[]> {
  const { rows: parts } = await sql<{ drop: string; make: string }>`
    with own as (select unnest(${tables}::regclass[]) as oid)
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) as make,
      contype in ('p', 'u') as is_key
    from pg_constraint c join own on own.oid = conrelid where contype in ('p', 'u', 'f')
    union all
    select 'drop index ' || indexrelid::regclass, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), false
    from pg_index join own on oid = indrelid
    -- Those with a condition hold few rows, and would each read the table again.
    where indpred is null and not exists (select from pg_constraint c where c.conindid = indexrelid and c.conrelid = indrelid)
    union all
    select format('alter table %s disable trigger user', oid::regclass),
      format('alter table %s enable trigger user', oid::regclass), false
    from own
    order by is_key`.execute(db);
  for (const { drop } of parts) {
    await fixed(drop).execute(db);
  }
  // Foreign keys need the keys.
  return parts.map(({ make }) => make).toReversed();
}

/** Fills an empty, migrated database past the triggers; then the product counts its rollups from the rows. */
export async function makeLists(db: Db): Promise<void> {
  await makeRounds(db);
  const aside = await setAside(db, [
    ...Object.keys(INSERTS),
    "payout",
    "payout_attempt",
    "job_row",
  ]);
  const slices = Object.entries(INSERTS).flatMap(([list, insert]) => {
    const all = list === "bet" ? BETS : COUNT;
    return Array.from({ length: Math.ceil(all / SLICE) }, (_, at) =>
      insert(at * SLICE, Math.min(SLICE, all - at * SLICE)),
    );
  });
  await timed("rows", () => inFlight(slices, 2, (slice) => slice.execute(db)));
  await timed("indexes", () =>
    db.connection().execute(async (one) => {
      await sql`set maintenance_work_mem = '1GB'`.execute(one);
      for (const make of aside) {
        await fixed(make).execute(one);
      }
      await sql`reset maintenance_work_mem`.execute(one);
    }),
  );
  for (const list of ROLLED_UP) {
    await timed(`rollups of ${list}`, async () => {
      for (const day of await selectRollupDays(db, list)) {
        await inTransaction(db, (tx) => rebuildRollupDay(tx, list, day));
      }
    });
  }
  await timed("vacuum", () => sql`vacuum analyze`.execute(db));
}

const ACTOR = { kind: "key", name: "rk_bench", request_id: "bench", address: "127.0.0.1" } as const;
const BESIDE = 20;

/** Takes in deposits or bets of any time, and takes some back, as the platform does. */
async function addEvents(db: Db, kind: EventKind): Promise<void> {
  const no = kind === "bet" ? "bet_no" : "order_no";
  const events = Array.from({ length: BESIDE }, () => {
    const number = 1 + Math.floor(Math.random() * PLAYERS);
    return {
      [no]: randomUUID(),
      player_id: `p${number}`,
      user_name: `user${number}`,
      created_at: someTime().toISOString(),
      ...(kind === "bet"
        ? { platform: 7234, valid_bet_amount: "7.00" }
        : { channel: 1, client: 1, amount: "7.00" }),
    };
  });
  const { rows: gone } = await sql<{ created_at: Date }>`
    select ${sql.ref(no)}, created_at from ${sql.table(kind)} where created_at >= ${someTime()} limit 5`.execute(
    db,
  );
  const backs = gone.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  const added = await inTransaction(db, (tx) => ingestEvents(tx, ACTOR, kind, events, "en"));
  const reversed = await inTransaction(db, (tx) => reverseEvents(tx, ACTOR, kind, backs, "en"));
  if (added.accepted !== BESIDE || reversed.rejected.length > 0) {
    throw new Error(`not taken in: ${JSON.stringify([added, reversed]).slice(0, 500)}`);
  }
}

/** Adds some events, reversals and draws while the lists are read. */
export async function addSome(db: Db, turn: number): Promise<void> {
  await addEvents(db, turn % 2 === 0 ? "bet" : "deposit");
  const first = COUNT * (1 + (turn % 15)) + Math.floor(Math.random() * (COUNT - BESIDE));
  await inTransaction(db, (tx) => INSERTS.draw_record(first, BESIDE).execute(tx));
}
