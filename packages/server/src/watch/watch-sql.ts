/**
 * Queries whose rows already have the API form (contract/watch/watch.ts). Rollups count draws; minutes are
 * numbered from 2020-01-01 UTC.
 */
import { MINUTES_WATCHED, PACE_MINUTES } from "@red/contract/watch/watch";
import type { Board, Figure, Overview } from "@red/contract/watch/watch";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { anyId } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import { EPOCH, minuteOf } from "#platform/db/time-ids";
import { minutesOf } from "#platform/rollups/rollup-sql";
import { liveActivities, poolGate } from "#rounds/activity-sql";

type Sql = RawBuilder<unknown>;
/** Maximum number of rounds, and of prizes, in a list. */
const WATCHED_MAX = 20;
export const THIS_MINUTE = minuteOf(sql`now()`);
const FIRST_MINUTE = sql`${THIS_MINUTE} - ${sql.lit(MINUTES_WATCHED - 1)}`;
const PACE_START = sql`${THIS_MINUTE} - ${sql.lit(PACE_MINUTES)}`;
/** Number of the first minute. This minute starts a day, so rollups read one range of days. */
const ALL_TIME = sql`0`;
const { to: NEVER } = minutesOf(null, null);

const local = (instant: Sql, timeZone: string) =>
  sql<string>`to_char((${instant}) at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`;
const money = (cents: Sql) => sql<string>`to_char(${cents} / 100.0, 'FM99999999999999990.00')`;
const FIGURE = sql<Figure>`jsonb_build_object('count', coalesce(n, 0), 'amount', ${money(sql`coalesce(cents, 0)`)})`;

/** SQL: draws since a minute, of a round (code 1) or of a prize with its name and price at the draw (code 2). */
const drawnSince = (minute: Sql, code: 1 | 2, id: Sql) =>
  sql`rollup_total('draw_record', ${minute}, ${sql.lit(NEVER)}, array[${sql.lit(code)}::bigint], array[${id}::bigint])`;
const figureSince = (minute: Sql) =>
  sql<Figure>`(select ${FIGURE} from ${drawnSince(minute, 1, sql`a.id`)})`;

/**
 * SQL: `minute`, `n` and `cents` of a round for each watched minute. `n` and `cents` are null for a minute
 * without draws.
 */
const drawnByMinute = (id: Sql) =>
  sql`generate_series(${FIRST_MINUTE}, ${THIS_MINUTE}) m (minute)
    left join rollup_buckets('draw_record', 1, ${FIRST_MINUTE}, ${sql.lit(NEVER)}, array[1::bigint],
      array[${id}::bigint], null) b on b.start = m.minute`;

/** The end time includes its whole second (behaviour §1). */
const IS_OVER = sql<boolean>`a.end_time + interval '1 second' <= now()`;
const IS_NEXT = sql<boolean>`a.start_time > now()`;
const PHASE = sql<
  Board["phase"]
>`case when ${IS_OVER} then 'ended' when ${IS_NEXT} then 'next' else 'running' end`;

/** Returns the database time, which stays constant within a snapshot, and the start of that day. */
export async function selectNow(view: Db, timeZone: string) {
  const { rows } = await sql<{ now: Date; at: string; day: string }>`
    select now(), ${local(sql`now()`, timeZone)} as at,
      to_char(now() at time zone ${timeZone}, 'YYYY-MM-DD 00:00:00') as day`.execute(view);
  return rows[0] ?? { now: new Date(0), at: "", day: "" };
}

function rounds(view: Db, timeZone: string) {
  return liveActivities(view)
    .select(["a.id as rounds_id", "a.rounds_name", "a.rounds_status", "p.pool_name"])
    .select([poolGate.as("pool_gate"), PHASE.as("phase")])
    .select(local(sql`a.start_time`, timeZone).as("start_time"))
    .select(local(sql`a.end_time`, timeZone).as("end_time"));
}

/** Returns running rounds by end time, then future rounds by start time. */
export async function selectWatchedRounds(view: Db, timeZone: string, day: Date) {
  return await rounds(view, timeZone)
    .select(figureSince(ALL_TIME).as("drawn"))
    .select(figureSince(minuteOf(sql`${day}::timestamptz`)).as("today"))
    .select(
      sql<
        number[]
      >`(select jsonb_agg(coalesce(n, 0) order by minute) from ${drawnByMinute(sql`a.id`)})`.as(
        "pace",
      ),
    )
    .where("a.end_time", ">", sql<Date>`now() - interval '1 second'`)
    .orderBy(sql`${IS_NEXT}, case when ${IS_NEXT} then a.start_time else a.end_time end, a.id`)
    .limit(WATCHED_MAX)
    .execute();
}

/** Returns the round of a board with its last hour, or undefined if the round does not exist. */
export async function selectBoardRound(view: Db, rounds_id: number, timeZone: string) {
  return await rounds(view, timeZone)
    .select(["a.pool_id", "a.start_time as starts", "a.end_time as ends"])
    .select(figureSince(FIRST_MINUTE).as("lately"))
    .where("a.id", "=", anyId(rounds_id))
    .executeTakeFirst();
}

type LowPrizes = Overview["needs"]["low_prizes"];

/**
 * Returns prizes of running rounds with less than a tenth of their stock, lowest stock first, and the
 * number of such prizes. Each prize appears once.
 */
export async function selectLowPrizes(view: Db): Promise<LowPrizes> {
  const { rows } = await sql<{ count: number; prize: LowPrizes["prizes"][number] }>`
    select count(*) over () as count, to_jsonb(x) as prize from (
      select distinct on (z.id) a.id as rounds_id, p.pool_name, z.id as prize_id, z.award_name,
        ${money(sql`z.award_price_cents`)} as award_price, z.award_total, z.award_total - z.drawn as remaining
      from activity a join pool p on p.id = a.pool_id join prize z on z.pool_id = p.id and z.deleted_at is null
      where a.deleted_at is null and not ${IS_OVER} and not ${IS_NEXT}
        and (z.award_total - z.drawn) * 10::bigint < z.award_total
      order by z.id, a.end_time
    ) x order by x.remaining::float / x.award_total, x.prize_id limit ${WATCHED_MAX}`.execute(view);
  return { count: rows[0]?.count ?? 0, prizes: rows.map(({ prize }) => prize) };
}

/** Returns ended rounds without any signature, grouped by the month of their end, latest month first. */
export async function selectUnsigned(view: Db, timeZone: string) {
  const { rows } = await sql<{ month: string; count: number }>`
    select to_char(a.end_time at time zone ${timeZone}, 'YYYY-MM') as month, count(*) as count from activity a
    where ${IS_OVER}
      and (a.deleted_at is null or exists (select from drawn_prize d where d.rounds_id = a.id))
      and not exists (select from sheet_sign_off s where s.rounds_id = a.id)
    group by 1 order by 1 desc`.execute(view);
  return rows;
}

/**
 * Returns the draws and the rejected draw calls of a round by minute, oldest first, and the rejected calls by reason.
 */
export async function selectMinutes(view: Db, rounds_id: number, timeZone: string) {
  const refused = sql`from draw_refusal_minute f where f.rounds_id = ${rounds_id}::bigint and f.minute`;
  const { rows: minutes } = await sql<Board["minutes"][number]>`
    select ${local(sql`${EPOCH} + m.minute * interval '1 minute'`, timeZone)} as minute, ${FIGURE} as drawn,
      (select coalesce(sum(f.count), 0)::bigint ${refused} = m.minute) as refused
    from ${drawnByMinute(sql`${rounds_id}`)}
    order by m.minute`.execute(view);
  const { rows: refusals } = await sql<Board["refusals"][number]>`
    select f.reason, sum(f.count)::bigint as count ${refused} >= ${FIRST_MINUTE} group by 1 order by 2 desc, 1`.execute(
    view,
  );
  return { minutes, refusals };
}

/**
 * Returns prizes in id order, with the draws of the round under the current name and price. `lately` counts
 * draws of all rounds of the pool.
 */
export async function selectBoardPrizes(view: Db, rounds_id: number) {
  const isPrize = sql`d.award_name = z.award_name and d.award_price_cents = z.award_price_cents`;
  const { rows } = await sql<Omit<Board["prizes"][number], "runs_out_at">>`
    select z.id as prize_id, z.award_name, ${money(sql`z.award_price_cents`)} as award_price, z.award_total,
      z.award_total - z.drawn as remaining, d.id as drawn_prize, ${FIGURE} as drawn,
      (select coalesce(sum(l.n), 0)::bigint from activity o join drawn_prize d on d.rounds_id = o.id and ${isPrize}
        cross join lateral ${drawnSince(PACE_START, 2, sql`d.id`)} l
        where o.pool_id = z.pool_id and o.deleted_at is null and o.end_time >= now() - interval '1 hour') as lately
    from activity a join prize z on z.pool_id = a.pool_id and z.deleted_at is null
    left join drawn_prize d on d.rounds_id = a.id and ${isPrize} left join lateral ${drawnSince(ALL_TIME, 2, sql`d.id`)} t on d.id is not null
    where a.id = ${rounds_id}::bigint order by z.id`.execute(view);
  return rows;
}
