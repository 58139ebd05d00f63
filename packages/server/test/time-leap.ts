/**
 * Makes hours pass in moments while the product keeps its schedule: whenever nothing is due, all stored instants move
 * into the past and the wallet's clock moves ahead. The product cannot distinguish this from elapsed time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { notifyPayoutWorkers } from "#platform/db/listen";
import { sql } from "kysely";

/** Longest leap, because no row shows when the wallet acts by itself. */
const LEAP_MS_MAX = 60_000;
/** Shortest leap: anything due within it is due at once. */
const LEAP_MS_MIN = 500;
/** Leap when no row waits: the wallet may be about to call back. */
const IDLE_LEAP_MS = 10_000;
const LOOK_MS = 8;

export interface LeapingClock {
  /** Milliseconds since it was made, leaps included. */
  passed(): number;
  /** One leap, without waiting for due work. */
  leap(ms: number): Promise<void>;
  /** Leaps of at least `msMin`, with the due work in between. */
  pass(ms: number, msMin?: number): Promise<void>;
  /** Throws when it takes longer than `patienceMs` of real time. */
  passUntil(what: string, isSo: () => Promise<boolean>, patienceMs: number): Promise<void>;
}

async function isQuiet(db: Db): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    with held as (
      select kind from wallet_health
      where (troubles > 0 and next_try_at > now()) or paused_until > now()
    )
    select exists (select from payout where state = 'sending')
      or exists (select from payout where state = 'queued' and next_at <= now()
        and not exists (select from held where kind = 'pay'))
      or exists (select from payout where state = 'unknown' and next_at <= now()
        and not exists (select from held where kind = 'query')) as busy`.execute(db);
  return rows[0]?.busy === false;
}

/** Time until something is due; null when nothing is. */
async function nextMs(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from min(at) - clock_timestamp())::float8 * 1000 as ms
    from (
      select next_at as at from payout where state in ('queued', 'unknown')
      union all select next_try_at from wallet_health
      union all select paused_until from wallet_health
    ) waits
    where at > clock_timestamp()`.execute(db);
  return rows[0]?.ms ?? null;
}

async function leapRows(db: Db, ms: number): Promise<void> {
  const by = sql`${ms}::float8 * interval '1 ms'`;
  await inTransaction(db, async (tx) => {
    // Lock rows in the same order as the product, here and below.
    await sql`select from wallet_health order by wallet, kind for update`.execute(tx);
    await sql`update wallet_health set trouble_since = trouble_since - ${by},
      next_try_at = next_try_at - ${by}, paused_until = paused_until - ${by}`.execute(tx);
    await sql`
      with moved as materialized (
        select log_id from payout
        where state in ('queued', 'unknown')
          and (next_at > now() or unknown_since is not null or first_sent_at is not null)
        order by log_id for update
      )
      update payout p set next_at = next_at - ${by}, unknown_since = unknown_since - ${by},
        never_seen_at = never_seen_at - ${by}, first_sent_at = first_sent_at - ${by}
      from moved where moved.log_id = p.log_id`.execute(tx);
    await notifyPayoutWorkers(tx);
  });
}

export function leapingClock(db: Db, others: (ms: number) => Promise<void>): LeapingClock {
  const begun = performance.now();
  let leapt = 0;
  const passed = () => performance.now() - begun + leapt;

  async function leap(ms: number): Promise<void> {
    await leapRows(db, ms);
    await others(ms);
    leapt += ms;
  }

  /** Leaps to the next due time within the bounds, unless a call is in flight. */
  async function step(msMin: number, msMax: number): Promise<void> {
    for (let look = 0; look < 2; look += 1) {
      await sleep(LOOK_MS);
      if (!(await isQuiet(db))) {
        return;
      }
    }
    const next = await nextMs(db);
    await leap(Math.min(Math.max(next ?? IDLE_LEAP_MS, msMin), LEAP_MS_MAX, msMax));
  }

  return {
    passed,
    leap,
    async pass(ms, msMin = LEAP_MS_MIN) {
      const end = passed() + ms;
      while (passed() < end) {
        await step(msMin, end - passed());
      }
    },
    async passUntil(what, isSo, patienceMs) {
      const end = performance.now() + patienceMs;
      while (!(await isSo())) {
        if (performance.now() > end) {
          throw new Error(`it did not come about: ${what}`);
        }
        await step(LEAP_MS_MIN, LEAP_MS_MAX);
      }
    },
  };
}
