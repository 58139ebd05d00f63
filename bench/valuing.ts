/**
 * `npm run bench -- valuing [--runs N] [--rows N] [--short]`: an operator asks what a change of the running round may cost
 * (`x-preview`): it is tried, valued and undone. First nine questions each about the round's condition and a prize's price,
 * nothing of which is kept; then signed draws of the round at a steady pace, with questions about both in turn and without.
 * Checks that each answer is above 0, and that all draws are made and in the books.
 */
import { sql } from "kysely";
import { PREVIEW_HEADER } from "../packages/contract/src/identity/session.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { foldRollups } from "../packages/server/src/platform/rollups/rollup-sql.ts";
import type { Answered } from "./draws-http-client.ts";
import { checkAnswered, makeScene } from "./draws-scene.ts";
import { signIn } from "./mixed-operators.ts";
import { conclude, inPairs, IS_SHORT, median, ratio, ROWS, RUNS, say } from "./report.ts";
import { runOnStage } from "./sides.ts";
import type { Stage } from "./sides.ts";

/** Deposits in the window; each of the seven days before has a thousandth. */
const COUNT = ROWS ?? (IS_SHORT ? 20_000 : 2_000_000);
const PLAYERS = Math.ceil(COUNT / 10);
/** Draws per second. */
const PACE = 100;
const TIMES = IS_SHORT ? { warm_ms: 100, run_ms: 900 } : { warm_ms: 2_000, run_ms: 20_000 };
const DRAWS = (PACE * (TIMES.warm_ms + TIMES.run_ms)) / 1_000;

/** Deposits of the last ten hours, or of the same hours so many days ago; few players make most. Other slots than the scene's. */
const insertDeposits = (days: number, count: number) => sql`
  insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
  select (ms - 1577836800000) * 16384 + 100 + n % 100, 'v' || ${days}::int || '-' || n,
    1 + floor(${PLAYERS}::int * random() ^ 2), 100 + n % 90000, 1, 1, to_timestamp(ms / 1000) + ms % 1000 * interval '1 ms'
  from generate_series(1, ${count}::int) n, lateral (
    select (extract(epoch from now()) * 1000)::bigint - ${days}::bigint * 86400000 - (${count}::int - n) * 36000000::bigint / ${count}::int as ms
  ) m`;

/** The scene's round with a window from twelve hours ago to an hour from now; all rollups folded. */
async function makeRows(db: Db): Promise<void> {
  await sql`select ensure_month('deposit', date_trunc('month', d, 'UTC')::date)
    from unnest(array[now() - interval '8 days', now()]) d`.execute(db);
  await makeScene(db, { players: PLAYERS });
  // Whole seconds, as a form sends them.
  await sql`update activity set start_time = date_trunc('second', start_time), end_time = date_trunc('second', end_time),
    achieve_start_time = date_trunc('second', now()) - interval '12 hours',
    achieve_end_time = date_trunc('second', now()) + interval '1 hour'`.execute(db);
  for (const days of [7, 6, 5, 4, 3, 2, 1, 0]) {
    await insertDeposits(days, days === 0 ? COUNT - PLAYERS : Math.ceil(COUNT / 1_000)).execute(db);
  }
  while ((await inTransaction(db, foldRollups)) > 0) {
    // Until all are folded.
  }
  await sql`vacuum analyze`.execute(db);
}

/** Where a form is read, where it is sent, and its field, which has another value at each turn: from the first by steps. */
const CHANGES = {
  round: ["act/1/edit", "act/update/1", "condition_value", 99.99, -0.01],
  prize: ["prize/1/edit", "prize/1", "award_price", 1, 0.01],
} as const;
type Changed = keyof typeof CHANGES;
/** Fields that a form reads and does not send. */
const NOT_SENT = { rounds_status: undefined, drawn: undefined, remaining: undefined };

/** Answers what asks what another change would cost, and answers its milliseconds. */
function askerOf(port: number, token: string) {
  const send = async (path: string, sent: RequestInit): Promise<unknown> =>
    await (await fetch(`http://127.0.0.1:${port}/gred/api/${path}`, sent)).json();
  let turn = 0;
  return async (changed: Changed): Promise<number> => {
    turn += 1;
    const [form, save, field, from, step] = CHANGES[changed];
    // The contract says what the server sends.
    const { data } = (await send(form, { headers: { token } })) as { readonly data: object };
    const headers = { token, "content-type": "application/json", [PREVIEW_HEADER]: "1" };
    const value = (from + turn * step).toFixed(2);
    const body = JSON.stringify({ ...data, ...NOT_SENT, [field]: value });
    const begun = performance.now();
    const answer = JSON.stringify(await send(save, { method: "PUT", headers, body }));
    const ms = performance.now() - begun;
    const risk = /"key":"only_valued"/.test(answer) && /"risk":"([\d.]+)"/.exec(answer)?.[1];
    if (!(Number(risk) > 0)) {
      throw new Error(`${save} answered ${answer.slice(0, 500)}`);
    }
    return ms;
  };
}

interface Run extends Answered {
  /** Milliseconds of each question. */
  readonly asked: readonly number[];
}

async function contendersOf({ bench, startServer, openClient }: Stage) {
  await makeRows(bench.db);
  const call = await openClient();
  const [token = ""] = await signIn(bench.db, "admin", 1);
  const { port } = await startServer();
  const ask = askerOf(port, token);
  const load = { port, calls: "draw", rows_per_call: 1, players: PLAYERS, pace: PACE } as const;
  let calls = 0;
  const run = (isAsked: boolean) => async (): Promise<Run> => {
    let isOver = !isAsked;
    const asked: number[] = [];
    const askOn = async () => {
      while (!isOver) {
        asked.push(await ask(asked.length % 2 === 0 ? "round" : "prize"));
      }
    };
    const drawing = call({ ...load, ...TIMES }).finally(() => (isOver = true));
    const [draws] = await Promise.all([drawing, askOn()]);
    if (draws.calls < DRAWS) {
      throw new Error(`${draws.calls} of ${DRAWS} draws were made`);
    }
    calls += draws.calls;
    return { ...draws, asked };
  };
  /** Moves the window's end by a second, so that nothing kept answers the question. */
  const later = sql`update activity set achieve_end_time = achieve_end_time + interval '1 second'`;
  const askFirst = async (changed: Changed) => {
    const times: number[] = [];
    while (times.length < 9) {
      await later.execute(bench.db);
      times.push(await ask(changed));
    }
    return times;
  };
  const check = () => checkAnswered(bench.db, calls);
  return { contenders: { asked: run(true), none: run(false) }, askFirst, check };
}

await runOnStage(async (stage) => {
  const { contenders, askFirst, check } = await contendersOf(stage);
  // A new server compiles its code first.
  await contenders.asked();
  const first = { round: await askFirst("round"), prize: await askFirst("prize") };
  const pairs = await inPairs<keyof typeof contenders, Run>(RUNS, contenders);
  [first, ...pairs].forEach((result) => say(JSON.stringify(result)));
  await check();
  const figures = {
    round_most_ms: Math.max(...first.round),
    prize_most_ms: Math.max(...first.prize),
    draw_p99: ratio(pairs, "asked", "none", ({ p99_ms }) => p99_ms),
    longer_ms: median(pairs.map(({ asked, none }) => asked.longest_ms - none.longest_ms)),
    round_ms: median(first.round),
    prize_ms: median(first.prize),
    p99_ms: median(pairs.map(({ asked }) => asked.p99_ms)),
    longest_ms: Math.max(...pairs.map(({ asked }) => asked.longest_ms)),
  };
  const slow = { round_most_ms: { at_most: 2_000 }, prize_most_ms: { at_most: 2_000 } };
  return conclude(figures, { ...slow, draw_p99: { at_most: 1.2 }, longer_ms: { at_most: 100 } });
});
