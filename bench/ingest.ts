/**
 * `npm run bench -- ingest [--runs N] [--rows N] [--short]`: bets taken in by calls of 1,000 on two connections, beside the
 * same without triggers and folding, COPY of the same rows with their keys by thousands, and a client that inserts row by row. Checks
 * after every run that each row is there once, and in the rollups. COPY has no checks and no triggers, only the table's
 * keys, indexes and constraints.
 */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { firstIdOf, SLOTS } from "../packages/server/src/platform/db/time-ids.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { ingestEvents } from "../packages/server/src/events/ingest-events.ts";
import { startFolding } from "../packages/server/src/platform/rollups/rollup-job.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import { connect } from "./draws-opponents.ts";
import { chart, conclude, inPairs, IS_SHORT, median, ratio, ROWS, RUNS, say } from "./report.ts";

const COUNT = ROWS ?? (IS_SHORT ? 4_000 : 100_000);
const ROWS_PER_CALL = 1_000;
/** Rows for the client that inserts row by row. */
const SINGLE_COUNT = Math.ceil(COUNT / 10);
const SINGLE_CONNECTIONS = 16;
const CONNECTIONS = 2;
const PLAYERS = IS_SHORT ? 2_000 : 50_000;
const ACTOR = { kind: "key", name: "rk_bench", request_id: "bench", address: "127.0.0.1" } as const;
const PLATFORMS = [1234, 2234, 3234, 5234, 6234, 7234];
/** A hundred bets a second, up to now. */
const FROM_MS = Date.now() - COUNT * 10;

/** Bet `at` as the platform sends it. */
function betAt(at: number) {
  // Few players bet most; the same ones in every run.
  const player = 1 + Math.floor(PLAYERS * ((at * 0.618_034) % 1) ** 2);
  return {
    bet_no: `bench-${at}`,
    player_id: `p${player}`,
    user_name: `user${player}`,
    valid_bet_amount: "12.50",
    platform: PLATFORMS[at % PLATFORMS.length] ?? 0,
    created_at: new Date(FROM_MS + at * 10).toISOString(),
  };
}

type Bet = ReturnType<typeof betAt>;

/** The columns of a bet's row; all rows of these times could have one slot. */
const columnsOf = ({ bet_no, player_id, platform, created_at }: Bet, at: number) => [
  firstIdOf(Date.parse(created_at)) + (at % SLOTS),
  bet_no,
  // A player's key is its number.
  Number(player_id.slice(1)),
  1_250,
  platform,
  created_at,
];

const COLUMNS = "(id, bet_no, player_key, valid_bet_cents, platform, created_at)";

/** Works the calls off on so many connections at once. */
async function onConnections<T>(
  count: number,
  calls: readonly T[],
  send: (call: T, connection: number) => Promise<void>,
): Promise<void> {
  const left = calls.toReversed();
  const work = async (connection: number) => {
    for (let call = left.pop(); call !== undefined; call = left.pop()) {
      await send(call, connection);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, connection) => work(connection)));
}

function callsOf(count: number): Bet[][] {
  const bets = Array.from({ length: count }, (_, at) => betAt(at));
  return Array.from({ length: Math.ceil(count / ROWS_PER_CALL) }, (_, call) =>
    bets.slice(call * ROWS_PER_CALL, (call + 1) * ROWS_PER_CALL),
  );
}

/** Takes bets in like the server. */
async function product(db: Db, calls: readonly Bet[][]): Promise<void> {
  await onConnections(CONNECTIONS, calls, async (call) => {
    const result = await inTransaction(db, (tx) => ingestEvents(tx, ACTOR, "bet", call, "en"));
    if (result.accepted !== call.length) {
      throw new Error(`bets were not accepted: ${JSON.stringify(result).slice(0, 300)}`);
    }
  });
}

async function copy(clients: readonly pg.Client[], calls: readonly Bet[][]): Promise<void> {
  await onConnections(CONNECTIONS, calls, async (call, connection) => {
    const lines = call.map((bet, at) => `${columnsOf(bet, at).join("\t")}\n`);
    const stream = clients[connection]?.query(copyFrom(`copy bet ${COLUMNS} from stdin`));
    if (stream !== undefined) {
      await pipeline(Readable.from([lines.join("")]), stream);
    }
  });
}

async function single(clients: readonly pg.Client[], bets: readonly Bet[]): Promise<void> {
  const text = `insert into bet ${COLUMNS} values ($1, $2, $3, $4, $5, $6)`;
  await onConnections(SINGLE_CONNECTIONS, bets, async (bet, connection) => {
    await clients[connection]?.query({ name: "insert", text, values: columnsOf(bet, 0) });
  });
}

/** One run into an empty table; answers rows per second. */
function run(db: Db, count: number, hasTriggers: boolean, work: () => Promise<void>) {
  return async (): Promise<number> => {
    await sql`truncate bet`.execute(db);
    await sql`vacuum analyze player, rollup, rollup_delta, audit_log`.execute(db);
    await sql`alter table bet ${sql.raw(hasTriggers ? "enable" : "disable")} trigger user`.execute(
      db,
    );
    const folding = hasTriggers ? startFolding({ db, log: { warn: say } }) : null;
    const begun = performance.now();
    await work();
    const seconds = (performance.now() - begun) / 1_000;
    await folding?.stop();
    await sql`alter table bet enable trigger user`.execute(db);
    const { rows } = await sql<{ stored: number; rolled: number }>`
      select count(*) as stored, (select n from rollup_total('bet', 0, ${2 ** 31}::bigint, null, null)) as rolled
      from bet b join player p on p.player_key = b.player_key and valid_bet_cents = 1250`.execute(
      db,
    );
    const [{ stored, rolled } = { stored: 0, rolled: 0 }] = rows;
    if (stored !== count || rolled !== (hasTriggers ? count : 0)) {
      throw new Error(`of ${count} rows ${stored} are stored, ${rolled} in rollups`);
    }
    return count / seconds;
  };
}

async function main(bench: BenchDatabase): Promise<number> {
  const { db } = bench;
  const clients = await connect(bench.connection, SINGLE_CONNECTIONS);
  await sql`insert into player (player_id, user_name)
    select 'p' || i, 'user' || i from generate_series(1, ${PLAYERS}::int) i`.execute(db);
  await sql`select ensure_month('bet', month::date)
    from unnest(array[${new Date(FROM_MS)}, now()]::timestamptz[]) month`.execute(db);
  const calls = callsOf(COUNT);
  const bets = callsOf(SINGLE_COUNT).flat();
  const ingest = bench.open("bench ingest", CONNECTIONS, true);
  const pairs = await inPairs(RUNS, {
    product: run(db, COUNT, true, () => product(ingest, calls)),
    without: run(db, COUNT, false, () => product(ingest, calls)),
    copy: run(db, COUNT, false, () => copy(clients, calls)),
    single: run(db, SINGLE_COUNT, true, () => single(clients, bets)),
  });
  pairs.forEach((pair) => say(JSON.stringify(pair)));
  await Promise.all(clients.map((client) => client.end()));
  type Name = keyof (typeof pairs)[number];
  const rate = (name: Name) => median(pairs.map((pair) => pair[name]));
  const versus = (name: Name) => ratio(pairs, "product", name);
  chart("ingest", "Bets taken in per second, in the same run", [
    { name: "calls of 1,000", value: rate("product") },
    { name: "COPY with keys, no checks", value: rate("copy") },
    { name: "row by row", value: rate("single") },
  ]);
  return conclude(
    {
      vs_row_by_row: versus("single"),
      rollup_cost: 1 - versus("without"),
      per_s: rate("product"),
      vs_copy: versus("copy"),
      copy_per_s: rate("copy"),
    },
    {
      vs_row_by_row: { at_least: 20 },
      rollup_cost: { at_most: 0.1 },
      vs_copy: { at_least: 0.4 },
    },
  );
}

await runBench(main);
