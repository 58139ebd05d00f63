/**
 * `npm run bench -- boards [--runs N] [--short]`: draws over HTTP by calls of 50, as fast as they are answered, with twenty
 * boards of the round open and with none; and how late the boards' figures are. The bench's own looks at what is committed
 * go on in both. Afterwards every figure of the board is compared with SQL.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { FIGURE_STATES, watchRoutes } from "../packages/contract/src/watch/watch.ts";
import type { Board } from "../packages/contract/src/watch/watch.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import type { Answered } from "./draws-http-client.ts";
import { checkAnswered, makeScene } from "./draws-scene.ts";
import { signIn } from "./mixed-operators.ts";
import { chart, conclude, inPairs, IS_SHORT, median, ratio, RUNS, say } from "./report.ts";
import { runOnStage } from "./sides.ts";
import type { Stage } from "./sides.ts";

const TIMES = IS_SHORT ? { warm_ms: 100, run_ms: 1_500 } : { warm_ms: 1_000, run_ms: 4_000 };
const ROWS_PER_CALL = 50;
const MOST_CALLS = IS_SHORT ? 400 : 8_000;
const LOOK_MS = 50;

/** What was seen, and when. */
interface Seen {
  readonly at: number;
  readonly drawn: number;
}

/** Listens to the board until told to stop; `seen` is what came. */
async function openBoard(port: number, token: string) {
  const gone = new AbortController();
  const url = `http://127.0.0.1:${port}${watchRoutes.stream.path}?topics=board:1`;
  const { body } = await fetch(url, { headers: { token }, signal: gone.signal });
  const seen: (Seen & { readonly board: Board })[] = [];
  let rest = "";
  const take = async () => {
    for await (const part of body ?? []) {
      const events = (rest + Buffer.from(part).toString()).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events.filter((text) => text.startsWith("event: board"))) {
        // The contract says what the server sends.
        const board = JSON.parse(event.slice(event.indexOf("\ndata: ") + 7)) as Board;
        seen.push({ at: performance.now(), drawn: board.drawn.count, board });
      }
    }
  };
  take().catch(() => {});
  return { seen, close: () => gone.abort() };
}

/** Looks every 50 ms at what is committed, which is what the stock says. */
async function lookUntil(db: Db, isOver: () => boolean): Promise<Seen[]> {
  const looks: Seen[] = [];
  while (!isOver()) {
    const { rows } = await sql<{ drawn: number }>`
      select sum(drawn)::int as drawn from prize where pool_id = 1`.execute(db);
    looks.push({ at: performance.now(), drawn: rows[0]?.drawn ?? 0 });
    await sleep(LOOK_MS);
  }
  return looks;
}

/** The longest time, in milliseconds, until the board showed at least what had been committed. */
function latestOf(looks: readonly Seen[], seen: readonly Seen[], end: number): number {
  const waits = looks.map(({ at, drawn }) => {
    const shown = seen.find((one) => one.drawn >= drawn);
    return (shown?.at ?? end) - at;
  });
  return Math.max(...waits);
}

/** Throws unless each figure of the board is what SQL says. */
async function checkBoard(db: Db, board: Board): Promise<void> {
  const { rows } = await sql<{ state: string; prize: number; count: number; cents: number }>`
    select p.state, z.id as prize, count(*)::int as count, sum(r.award_price_cents)::bigint as cents
    from draw_record r join payout p on p.log_id = r.id join prize z on z.award_name = r.award_name
    where r.rounds_id = 1 group by 1, 2`.execute(db);
  const figureOf = (isCounted: (row: (typeof rows)[number]) => boolean) => {
    const counted = rows.filter(isCounted);
    const cents = counted.reduce((sum, row) => sum + row.cents, 0);
    return {
      count: counted.reduce((sum, row) => sum + row.count, 0),
      amount: (cents / 100).toFixed(2),
    };
  };
  let count = 0;
  const check = (name: string, shown: unknown, isCounted: Parameters<typeof figureOf>[0]) => {
    const [one, other] = [JSON.stringify(shown), JSON.stringify(figureOf(isCounted))];
    if (one !== other) {
      throw new Error(`${name} of the board is ${one}, by SQL ${other}`);
    }
    count += 1;
  };
  check("drawn", board.drawn, () => true);
  for (const [name, states] of Object.entries(FIGURE_STATES)) {
    const shown = board[name as keyof typeof FIGURE_STATES];
    check(name, shown, ({ state }) => states.some((one) => one === state));
  }
  for (const { prize_id, drawn } of board.prizes) {
    check(`prize ${prize_id}`, drawn, ({ prize }) => prize === prize_id);
  }
  say(`${count} figures of the board equal SQL`);
}

interface Run extends Answered {
  readonly late_ms: number;
}

async function contendersOf({ bench, startServer, openClient }: Stage) {
  const { players } = await makeScene(bench.db, { players: IS_SHORT ? 5_000 : 50_000 });
  const call = await openClient();
  const { port } = await startServer();
  const tokens = await signIn(bench.db);
  const load = { port, calls: "draws", most: MOST_CALLS, rows_per_call: ROWS_PER_CALL } as const;
  let calls = 0;
  const run = (open: number) => async (): Promise<Run> => {
    const boards = await Promise.all(tokens.slice(0, open).map((token) => openBoard(port, token)));
    let isOver = false;
    const looking = lookUntil(bench.db, () => isOver);
    const answered = await call({ ...load, players, ...TIMES });
    isOver = true;
    calls += answered.calls;
    const looks = await looking;
    await sleep(2_500);
    boards.forEach(({ close }) => close());
    const late = boards.map(({ seen }) => latestOf(looks, seen, performance.now()));
    const last = boards[0]?.seen.at(-1)?.board;
    if (last !== undefined) {
      await checkBoard(bench.db, last);
    }
    return { ...answered, late_ms: Math.max(0, ...late) };
  };
  const check = () => checkAnswered(bench.db, calls * ROWS_PER_CALL);
  return { contenders: { boards: run(20), none: run(0) }, check };
}

await runOnStage(async (stage) => {
  const { contenders, check } = await contendersOf(stage);
  const pairs = await inPairs<keyof typeof contenders, Run>(RUNS, contenders);
  pairs.forEach((pair) => say(JSON.stringify(pair)));
  await check();
  const rate = (name: keyof typeof contenders) =>
    ROWS_PER_CALL * median(pairs.map((pair) => pair[name].per_s));
  chart("boards", "Draws per second with twenty boards open and with none, in the same run", [
    { name: "twenty boards", value: rate("boards") },
    { name: "no board", value: rate("none") },
  ]);
  const figures = {
    boards_vs_none: ratio(pairs, "boards", "none", ({ per_s }) => per_s),
    late_ms: Math.max(...pairs.map(({ boards }) => boards.late_ms)),
    per_s: rate("boards"),
  };
  return conclude(figures, { boards_vs_none: { at_least: 0.95 }, late_ms: { at_most: 2_000 } });
});
