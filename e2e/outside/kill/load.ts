/**
 * Load during the kills: draws one by one and in batches, deposits, re-issues, changing prices, a round that is
 * paused and resumed. A call without an answer is repeated, as platforms do.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { dig, listAt, numberAt } from "../json.ts";
import { decimal } from "../money.ts";
import { askFor } from "../platform.ts";
import type { Answer, Ask } from "../platform.ts";
import type { Acks, Deposit, Drawn } from "./acks.ts";
import { DEPOSITORS, EVERYBODY, named, playerId, PRICED } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { Site } from "./stage.ts";

const SINGLE_LANES = 4;
const BATCH = 10;
/** Pauses between the calls of a lane, in milliseconds. */
const PAUSES = { single: 70, batch: 400, deposits: 600, reissue: 700, price: 1_500, pause: 900 };
const AGAIN_MS = 60;
const DEPOSITS_PER_CALL = 12;
const STOP_MS = 120_000;

/** Answers that settle a draw; after any other it may or may not have happened. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  "no_chance_left",
  "sold_out",
  "round_not_active",
  "draws_stopped",
]);

/** The outcome is open (a balancer answers 502 and 504): repeat the call. */
const PASSING: ReadonlySet<unknown> = new Set([0, 429, 502, 503, 504]);

function drawnOf(ask: Ask, told: unknown, text: string | null): Drawn {
  const { log_id, trans_sn, award_name, award_price } = Object(told);
  return { ask, log_id, trans_sn, award_name, award_price, text };
}

export function startLoad(stage: Site, scene: Scene, acks: Acks, dice: () => number) {
  const { operator, platform } = stage;
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const count = { pending: 0, isStopping: false, isOver: false };
  /** Requests of changes by operators that were answered: each has its row in the log. */
  const acts: unknown[] = [];

  /** A call of the operator; throws when it is to be repeated, and notes an answer that cannot be explained. */
  async function ask(method: "GET" | "POST" | "PUT", path: string, body: object | null) {
    const { http, code, msg, data, request_id } = await operator.call(method, path, body);
    if (http !== 200 || code !== 200) {
      const what = `${method} ${path}: ${http} ${String(code)} ${String(msg)}`;
      // Of two operators who re-issue the same records, one is refused.
      const isLate = code === 409 && path.endsWith("/reissue");
      if (!PASSING.has(http) && !isLate) {
        faults.push(what);
      }
      throw new Error(what);
    }
    return { data, request_id };
  }

  async function act(path: string, body: object): Promise<void> {
    acts.push((await ask("PUT", path, body)).request_id);
  }
  const below = (max: number) => Math.floor(dice() * max);

  async function call(path: string, body: object): Promise<Answer> {
    count.pending += 1;
    const answer = await platform.call("POST", path, body);
    count.pending -= 1;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return answer;
  }

  function nextAsk(): Ask {
    const which = dice();
    if (which < 0.55) {
      return askFor(scene.earned.id, playerId(below(DEPOSITORS)));
    }
    if (which < 0.65) {
      return askFor(scene.granted.id, playerId(below(DEPOSITORS)));
    }
    return askFor((which < 0.85 ? scene.free : scene.paused).id, playerId(below(EVERYBODY)));
  }

  /** Stores the answer; false when the call must be repeated. */
  async function settle(ask: Ask, told: unknown, status: unknown, text: string | null) {
    if (status === 200 || status === 201) {
      await acks.keep([{ drawn: drawnOf(ask, told, text) }]);
      return true;
    }
    const code = dig(told, "code");
    if (REFUSALS.has(code)) {
      await acks.keep([{ refused: ask, code }]);
      return true;
    }
    const isPassing = PASSING.has(status);
    if (!isPassing) {
      faults.push(`draw ${ask.request_id}: ${String(status)} ${JSON.stringify(told)}`);
    }
    return !isPassing;
  }

  async function drawOnce(): Promise<void> {
    const ask = nextAsk();
    while (!count.isOver) {
      const { status, body, text } = await call("/open/v1/draws", ask);
      if (await settle(ask, body, status, text)) {
        return;
      }
      await sleep(AGAIN_MS);
    }
  }

  async function drawBatch(): Promise<void> {
    let open = Array.from({ length: BATCH }, nextAsk);
    while (open.length > 0 && !count.isOver) {
      const { status, body } = await call("/open/v1/draws/batch", { draws: open });
      const results = status === 200 ? listAt(body, "results") : [];
      const left: Ask[] = [];
      for (const [at, ask] of open.entries()) {
        const result = results[at];
        if (!(await settle(ask, result, dig(result, "status") ?? 0, null))) {
          left.push(ask);
        }
      }
      open = left;
      await sleep(open.length > 0 ? AGAIN_MS : 0);
    }
  }

  /** New deposits, and some sent before: duplicates that change nothing. */
  function someDeposits(): Deposit[] {
    const { from, until } = scene.window;
    const fresh = Array.from({ length: DEPOSITS_PER_CALL }, () => ({
      order_no: `k-${randomUUID()}`,
      ...named(below(DEPOSITORS)),
      amount: decimal(BigInt(500 + below(7_500))),
      channel: 1 + below(9),
      client: 1 + below(3),
      // Unordered, and some outside the window.
      created_at: new Date(from - 1_800_000 + below(until - from + 3_600_000)).toISOString(),
    }));
    const known = [...acks.deposits.values()].slice(-50).filter(() => dice() < 0.1);
    return [...fresh, ...known];
  }

  async function feed(): Promise<void> {
    const deposits = someDeposits();
    while (!count.isOver) {
      const { status, body, text } = await call("/open/v1/deposits", { deposits });
      if (status === 200 && listAt(body, "rejected").length === 0) {
        return await acks.keep([{ deposits }]);
      }
      if (!PASSING.has(status)) {
        faults.push(`deposits: ${status} ${text.slice(0, 300)}`);
        return;
      }
      await sleep(AGAIN_MS);
    }
  }

  /** Two operators re-issue the same failed records at once. */
  async function reissue(): Promise<void> {
    const list = await ask("GET", "/gred/api/record/list?award_status=2&page=1&size=40", null);
    const log_ids = listAt(list.data, "content").map((row) => numberAt(row, "log_id"));
    if (log_ids.length > 0) {
      const again = () => ask("POST", "/gred/api/record/reissue", { log_ids });
      await Promise.all([again(), again()]);
    }
  }

  async function changePrice(): Promise<void> {
    const award_price = decimal(BigInt(800 + below(100)));
    const body = { ...PRICED, award_price, pool_name: scene.pool_name };
    await act(`/gred/api/prize/${scene.priced}`, body);
  }

  async function setStatus(rounds_status: 0 | 1): Promise<void> {
    while (!count.isOver) {
      try {
        const path = `/gred/api/act/pause/${scene.paused.id}`;
        return await act(path, { rounds_status });
      } catch {
        await sleep(AGAIN_MS);
      }
    }
  }

  async function pauseAndResume(): Promise<void> {
    await setStatus(0);
    const from = Date.now();
    await sleep(150);
    const until = Date.now();
    await acks.keep([{ pause: { rounds_id: scene.paused.id, from, until } }]);
    await setStatus(1);
  }

  async function lane(pauseMs: number, work: () => Promise<void>): Promise<void> {
    while (!count.isStopping) {
      await work().catch((error: unknown) => faults.push(String(error)));
      await sleep(pauseMs * (0.5 + dice()));
    }
  }

  /** After a broken call or an error the operator continues with another call. */
  function patiently(work: () => Promise<void>): () => Promise<void> {
    return () => work().catch(() => {});
  }

  const lanes = [
    ...Array.from({ length: SINGLE_LANES }, () => lane(PAUSES.single, drawOnce)),
    lane(PAUSES.batch, drawBatch),
    lane(PAUSES.deposits, feed),
    lane(PAUSES.pause, pauseAndResume),
    lane(PAUSES.reissue, patiently(reissue)),
    lane(PAUSES.price, patiently(changePrice)),
  ];
  return {
    /** Calls without an answer yet. */
    pending: () => count.pending,
    acts,
    /** Unexplained answers, with their requests. */
    faults,
    /** Number of answers by status; 0: no answer. */
    statuses,
    /** Resolves when every call has its answer; throws when that takes long. */
    async stop(): Promise<void> {
      count.isStopping = true;
      const late = sleep(STOP_MS, "late", { ref: false });
      if ((await Promise.race([Promise.all(lanes), late])) === "late") {
        count.isOver = true;
        throw new Error(`calls are not answered after ${STOP_MS} ms`);
      }
    },
  };
}

export type Load = ReturnType<typeof startLoad>;
