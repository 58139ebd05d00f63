/**
 * `npm run bench -- payouts [--runs N] [--rows N] [--short]`: payouts claimed and settled by the product beside one job a
 * transaction, on one database, writing the same rows. Wallet calls are in neither: every payout is answered "paid" at
 * once. Checks after every run that each payout was settled exactly once.
 */
import { sql } from "kysely";
import type pg from "pg";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { PAYOUT_LIMITS } from "../packages/server/src/payouts/payout-job.ts";
import { PAYOUT_SCHEDULE } from "../packages/server/src/payouts/payout-rules.ts";
import { payoutSettler } from "../packages/server/src/payouts/settle-payouts.ts";
import { takeDueCalls } from "../packages/server/src/payouts/take-due-calls.ts";
import { insertWallet } from "../packages/server/src/payouts/wallet-health-sql.ts";
import { WALLET_PATIENCE } from "../packages/server/src/payouts/wallet-health.ts";
import { runBench } from "./database.ts";
import type { BenchDatabase } from "./database.ts";
import { connect } from "./draws-opponents.ts";
import { chart, conclude, inPairs, IS_SHORT, median, ratio, ROWS, RUNS } from "./report.ts";

const PLAYERS = 1_000;
/** Queued at the start of a run; a run ends after `RUN_MS`, or sooner when none is left. */
const COUNT = ROWS ?? (IS_SHORT ? 1_000 : 120_000);
const RUN_MS = IS_SHORT ? 500 : 4_000;
const CONNECTIONS = 32;
const RULES = {
  schedule: PAYOUT_SCHEDULE,
  patience: WALLET_PATIENCE,
  wallet: "bench",
  perSecond: null,
  timeZone: "Asia/Shanghai",
};

async function makePlayers(db: Db): Promise<void> {
  await sql`insert into player (player_id, user_name) select 'p' || i, 'player ' || i
    from generate_series(1, ${PLAYERS}::int) i`.execute(db);
  await inTransaction(db, (tx) => insertWallet(tx, RULES.wallet));
}

/** Queued payouts of one round, all due. */
async function queuePayouts(db: Db): Promise<void> {
  await sql`truncate payout, payout_attempt, job_row`.execute(db);
  await sql`
    insert into payout (log_id, rounds_id, player_key, trans_sn, amount_cents, turnover, red_code, state, created_at)
    select i, 1, 1 + i % ${PLAYERS}::int, gen_random_uuid()::text, 100 + i, 3, 'RED_PACKET', 'queued', now()
    from generate_series(1, ${COUNT}::int) i`.execute(db);
  await sql`vacuum analyze payout`.execute(db);
}

/** Throws unless `settled` payouts were claimed once, paid once and have one attempt that says so, and no other was touched. */
async function checkBooks(db: Db, settled: number): Promise<void> {
  const { rows } = await sql<{ paid: number; waiting: number; attempts: number }>`
    select count(*) filter (where p.state = 'paid' and p.paid_at is not null and p.wallet_ref = 'w' || p.log_id
        and p.fence = 1 and p.attempts = 1 and p.lease_until is null and p.first_sent_at is not null
        and a.no = 1 and a.kind = 'pay' and a.outcome = 'paid' and a.http_status = 200
        and a.request like 'POST /payouts %' and a.answer is not null) as paid,
      count(*) filter (where p.state = 'queued' and p.fence = 0 and a.no is null) as waiting,
      count(a.no) as attempts
    from payout p left join payout_attempt a on a.log_id = p.log_id`.execute(db);
  const { paid, waiting, attempts } = rows[0] ?? {};
  if (!(settled > 0 && paid === settled && attempts === settled && waiting === COUNT - settled)) {
    throw new Error(`of ${settled} not each was settled once: ${JSON.stringify(rows[0])}`);
  }
}

const answerOf = (trans_sn: string) => JSON.stringify({ status: "paid", trans_sn });

/** Works like payout-job.ts: claims while answers are stored, with `inFlight` calls at a time. */
async function product(db: Db, inFlight: number): Promise<number> {
  const fault = (_: unknown, message?: string) => {
    throw new Error(message);
  };
  const settler = payoutSettler(db, PAYOUT_SCHEDULE, { warn: fault, error: fault });
  const until = performance.now() + RUN_MS;
  let settled = 0;
  let open = 0;
  let wake = () => {};
  const afterAnswer = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  for (let isLeft = true; ;) {
    isLeft &&= performance.now() < until;
    if (!isLeft && open === 0) {
      return settled;
    }
    if (!isLeft || open > inFlight / 2) {
      await afterAnswer();
      continue;
    }
    const { calls } = await inTransaction(db, (tx) => takeDueCalls(tx, inFlight - open, RULES));
    isLeft = calls.length > 0;
    open += calls.length;
    for (const due of calls) {
      const word = { kind: "paid", wallet_ref: `w${due.log_id}` } as const;
      const answer = answerOf(due.call.trans_sn);
      void settler.settle({ due, word, duration_ms: 0, http_status: 200, answer }).then(() => {
        open -= 1;
        settled += 1;
        wake();
      });
    }
  }
}

const CLAIM = `select p.log_id, p.trans_sn, p.amount_cents, p.turnover, p.red_code, p.rounds_id, p.created_at,
    y.player_id, y.user_name
  from payout p join player y on y.player_key = p.player_key
  where p.state = 'queued' and p.next_at <= now() order by p.next_at limit 1 for update of p skip locked`;
const SETTLE = `update payout set state = 'paid', paid_at = clock_timestamp(), wallet_ref = $2, fence = fence + 1,
    attempts = attempts + 1, first_sent_at = clock_timestamp(), updated_at = clock_timestamp() where log_id = $1`;
const ATTEMPT = `insert into payout_attempt (log_id, no, kind, outcome, duration_ms, http_status, request, answer)
  values ($1, 1, 'pay', 'paid', 0, 200, $2, $3)`;

/** One job a transaction: claim one, settle it, commit; by prepared statements on connections of their own. */
async function single(connection: pg.ClientConfig): Promise<number> {
  const clients = await connect(connection, CONNECTIONS);
  const until = performance.now() + RUN_MS;
  let settled = 0;
  const work = async (client: pg.Client) => {
    while (performance.now() < until) {
      await client.query("begin");
      const { rows } = await client.query<Record<string, string>>({ name: "claim", text: CLAIM });
      const [{ log_id, trans_sn = "", ...call } = {}] = rows;
      if (log_id !== undefined) {
        const request = `POST /payouts ${JSON.stringify({ trans_sn, ...call })}`;
        await client.query({ name: "settle", text: SETTLE, values: [log_id, `w${log_id}`] });
        const values = [log_id, request, answerOf(trans_sn)];
        await client.query({ name: "attempt", text: ATTEMPT, values });
      }
      await client.query("commit");
      if (log_id === undefined) {
        return;
      }
      settled += 1;
    }
  };
  await Promise.all(clients.map(work));
  await Promise.all(clients.map((client) => client.end()));
  return settled;
}

/** One run from a full queue to its checked books; answers payouts per second. */
function run(db: Db, work: () => Promise<number>) {
  return async (): Promise<number> => {
    await queuePayouts(db);
    const begun = performance.now();
    const settled = await work();
    const seconds = (performance.now() - begun) / 1_000;
    await checkBooks(db, settled);
    return settled / seconds;
  };
}

async function main(bench: BenchDatabase): Promise<number> {
  await makePlayers(bench.db);
  const worker = bench.open("bench worker", 3, true);
  const pairs = await inPairs(RUNS, {
    product: run(bench.db, () => product(worker, 1_000)),
    product_32: run(bench.db, () => product(worker, PAYOUT_LIMITS.callsInFlight)),
    single: run(bench.db, () => single(bench.connection)),
  });
  const rate = (name: keyof (typeof pairs)[number]) => median(pairs.map((pair) => pair[name]));
  chart("payouts", "Payouts claimed and settled per second, without wallet calls", [
    { name: "product", value: rate("product") },
    { name: `product, ${PAYOUT_LIMITS.callsInFlight} calls in flight`, value: rate("product_32") },
    { name: `one job a transaction, ${CONNECTIONS} at once`, value: rate("single") },
  ]);
  return conclude(
    {
      vs_single: ratio(pairs, "product", "single"),
      vs_single_32: ratio(pairs, "product_32", "single"),
      per_s: rate("product"),
      single_per_s: rate("single"),
    },
    { vs_single: { at_least: 10 } },
  );
}

await runBench(main);
