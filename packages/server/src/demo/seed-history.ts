/**
 * Creates the demonstration's earlier days (behaviour §7): deposits, bets and draws with the functions of
 * the platform's calls, under a past clock. Payouts stay queued for the demo wallet.
 */
import { randomInt, randomUUID } from "node:crypto";
import { dayBounds } from "@red/contract/platform/datetime";
import { DEMO_PLAYERS } from "@red/contract/players/demo-players";
import type { DemoPlayer } from "@red/contract/players/demo-players";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/platform/codes";
import { drawPrizes } from "#draws/draw-prizes";
import type { AskedDraw } from "#draws/draw-prizes";
import { chanceMemory } from "#chances/chance-reader";
import { ingestEvents } from "#events/ingest-events";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { selectDrawableOn } from "./demo-sql.ts";
import { sql } from "kysely";

const KEY = "rk_demo";

/** Number of steps in a day, spread over the hours when players are awake. */
const STEPS = 32;
const FIRST_HOUR = 8;
const LAST_HOUR = 23.5;
const HOUR_MS = 3_600_000;

const DEPOSITORS = 8;
const BETTORS = 12;
/** Number of players per round and step. */
const VISITORS = 6;
const DRAWS_PER_VISIT = 2;

/** Amounts in whole yuan. Usual amounts appear more often, so they are chosen more often. */
const DEPOSITS = [20, 30, 50, 50, 50, 100, 100, 100, 200, 200, 300, 500, 1000] as const;

function oneOf<T>(list: readonly T[]): T {
  const found = list[randomInt(list.length)];
  if (found === undefined) {
    throw new RangeError("nothing to choose from");
  }
  return found;
}

function some(count: number): DemoPlayer[] {
  return Array.from({ length: count }, () => oneOf(DEMO_PLAYERS));
}

/** Returns a random time as text, in the format that the platform sends. */
function within(from: number, until: number): string {
  return new Date(from + randomInt(until - from)).toISOString();
}

async function takeIn(tx: Tx, actor: Actor, from: number, until: number): Promise<void> {
  const deposits = some(DEPOSITORS).map((player) => ({
    ...player,
    order_no: `D${randomUUID()}`,
    amount: `${oneOf(DEPOSITS)}.00`,
    channel: oneOf(CHANNEL_CODES),
    client: oneOf(CLIENT_CODES),
    created_at: within(from, until),
  }));
  const bets = some(BETTORS).map((player) => ({
    ...player,
    bet_no: `B${randomUUID()}`,
    valid_bet_amount: `${5 + randomInt(180)}.${10 + randomInt(90)}`,
    platform: oneOf(PLATFORM_CODES),
    created_at: within(from, until),
  }));
  const taken = [
    await ingestEvents(tx, actor, "deposit", deposits, "zh"),
    await ingestEvents(tx, actor, "bet", bets, "zh"),
  ];
  if (taken.some(({ rejected }) => rejected.length > 0)) {
    throw new Error("a row of the demonstration's history was refused");
  }
}

function asksOf(rounds_id: number, { player_id }: DemoPlayer): AskedDraw[] {
  return Array.from({ length: DRAWS_PER_VISIT }, () => ({
    request_id: randomUUID(),
    rounds_id,
    player_id,
    key: KEY,
  }));
}

/**
 * Runs `work`, which must call `setClock` before it writes. During `work`, a function of this transaction
 * replaces `clock_timestamp()`.
 */
async function withPastClock(
  tx: Tx,
  work: (setClock: (now: Date) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ schema: string; path: string }>`
    select current_schema() as schema, current_setting('search_path') as path`.execute(tx);
  const [{ schema, path } = { schema: "public", path: "public" }] = rows;
  const clock = sql`${sql.id(schema)}.clock_timestamp()`;
  const look = async (where: string) => {
    await sql`select set_config('search_path', ${where}, true)`.execute(tx);
  };
  await sql`create function ${clock} returns timestamptz language sql volatile
    as $$ select current_setting('past_clock.now')::timestamptz $$`.execute(tx);
  await look(`${path}, pg_catalog`);
  await work(async (now) => {
    await sql`select set_config('past_clock.now', ${now.toISOString()}, true)`.execute(tx);
  });
  await look(path);
  await sql`drop function ${clock}`.execute(tx);
}

/**
 * Fills a past business day whose rounds exist. A player is created with the first deposit or bet. Draws
 * without a chance are rejected as usual.
 */
export async function seedHistory(
  tx: Tx,
  actor: Actor,
  day: string,
  timeZone: string,
): Promise<void> {
  const begin = dayBounds(day, timeZone).start.getTime() + FIRST_HOUR * HOUR_MS;
  const step = ((LAST_HOUR - FIRST_HOUR) * HOUR_MS) / STEPS;
  const rounds = await selectDrawableOn(tx, day);
  await withPastClock(tx, async (setClock) => {
    const memory = chanceMemory(timeZone);
    for (let at = 0; at < STEPS; at += 1) {
      const from = begin + at * step;
      await setClock(new Date(from + step));
      await takeIn(tx, actor, from, from + step);
      for (const rounds_id of rounds) {
        for (const player of some(VISITORS)) {
          await setClock(new Date(within(from + step, from + 2 * step)));
          await drawPrizes(tx, asksOf(rounds_id, player), memory);
        }
      }
    }
  });
}
