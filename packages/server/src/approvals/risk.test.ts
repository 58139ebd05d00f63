/**
 * The cost that a caller sees equals an independent valuation of the rows before and after the change. No order of
 * changes costs more than one person may risk alone (behaviour §16). `npm run prove -- risk`: 3,000.
 */
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Envelope } from "@red/contract/platform/envelope";
import type { Needs } from "@red/contract/approvals/guard";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { fillPath } from "@red/contract/platform/route";
import { requestTokenOf, tokenHash } from "#identity/operator-auth";
import { setSetting } from "#test/contract-world";
import { diceOf } from "#test/dice";
import { makePlayer, makePool, makePrize, makeRound } from "#test/factories";
import { depositOf, feed, PER_120 } from "#test/ingest-factory";
import { spanOf, valueFromOutside } from "#test/outside-risk";
import type { Valued } from "#test/outside-risk";
import { movedTo, readState } from "#test/outside-risk-state";
import type { Prize, Round, State } from "#test/outside-risk-state";
import { CHANGES, EDITS, formOf, saveRound, textOf } from "#test/random-changes";
import type { Change, Stage } from "#test/random-changes";
import { clearInstallation, makeInstallation } from "#test/random-installation";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import { expect, test } from "vitest";

const { PROVE_N } = process.env;
const CASES = Number(PROVE_N ?? 60);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);
/** Number of changes in one installation. */
const OF_EACH = 12;
/** Number of random sequences of changes: 2,000 for 3,000 single changes. */
const SEQUENCES = PROVE_N === undefined ? 3 : Math.ceil((CASES * 2) / 3);
const DAY_MS = 86_400_000;
const dice = diceOf(SEED);

const t = useTestDb();
const a = useTestApp(t);
const tally: Record<string, number> = {};
const count = (what: string) => (tally[what] = (tally[what] ?? 0) + 1);

/** Sends a change as the console or as a program. */
async function send(
  { route, params, body, file }: Change,
  by: "console" | "program",
  more: Readonly<Record<string, string>> = {},
): Promise<Envelope> {
  const isConsole = by === "console";
  const token = isConsole ? requestTokenOf(a.services.secrets, tokenHash(a.token)) : a.token;
  const sent =
    file === undefined
      ? { headers: {}, ...(body && { payload: body }) }
      : await formBody({ bytes: file.bytes, fields: { pool_name: file.pool_name, token } });
  const headers = {
    token,
    ...(isConsole && { cookie: `Admin-Token=${a.token}` }),
    ...more,
    ...sent.headers,
  };
  const url = fillPath(route.path, { ...params });
  const answer = await a.app.inject({ method: route.method, url, ...sent, headers });
  return answer.json<Envelope>();
}

async function stageNow(): Promise<Stage> {
  const pools = await t.sql<{ id: number; pool_name: string }>`
    select id, pool_name from pool where deleted_at is null order by id`;
  const state = await readState(t);
  return { dice, state, pools: new Map(pools.map(({ id, pool_name }) => [id, pool_name])) };
}

interface Told {
  readonly cents: number;
  readonly code: boolean;
}

/** Returns the cost and code that a preview shows, or null if the change is rejected. */
async function ask(change: Change): Promise<Told | null> {
  await setSetting(t.db, "band_second", "0.00");
  await setSetting(t.db, "guard_sum", "0.00");
  const { data } = await send(change, "console", { "x-preview": "1" });
  const { needs } = (data ?? {}) as { needs?: Needs };
  return needs ? { cents: Math.round(Number(needs.risk) * 100), code: needs.code } : null;
}

/** Returns the part of a cost that the product values to the cent. */
const exactOf = ({ worth, entering, chances }: Valued) => Math.max(worth + entering, chances);

function compare({ cents, code }: Told, valued: Valued, context: string): void {
  const { worth, pace, chances, slack } = valued;
  const exact = exactOf(valued);
  count("compared to the cent or 0.3 %");
  expect(cents, context).toBeGreaterThanOrEqual(Math.max(exact, pace - slack) - 0.5);
  expect(cents, context).toBeLessThanOrEqual(Math.max(exact, pace + slack) + 0.5);
  const forCode = Math.max(worth, chances);
  if (forCode > 0 || pace > slack || slack === 1) {
    expect(code, context).toBe(forCode > 0 || pace > 0.5);
  }
}

/** Makes a random change and compares its cost. Returns false if the change was rejected. */
async function tryChange(at: number): Promise<boolean> {
  const stage = await stageNow();
  const name = dice.oneOf(Object.keys(CHANGES));
  const change = CHANGES[name]?.(stage) ?? null;
  const told = change && (await ask(change));
  if (change === null || told === null) {
    return false;
  }
  await setSetting(t.db, "band_second", "off");
  const { params, body, file, costs } = change;
  const answer = await send(change, "program");
  const after = await readState(t);
  const valued = costs ? null : valueFromOutside(stage.state, after);
  const sent = { params, body, file, answer, told, valued };
  const context = `change ${at} of seed ${SEED}: ${name} ${JSON.stringify(sent)}`;
  expect(answer.code, context).toBe(200);
  count(name);
  if (valued === null) {
    expect(told.cents, context).toBe(costs?.(stage.state));
  } else {
    compare(told, valued, context);
  }
  return true;
}

test(
  `${CASES} changes, seed ${SEED}: each costs what its rows say`,
  async () => {
    for (let at = 0; at < CASES;) {
      if (at % OF_EACH === 0) {
        await makeInstallation(t, dice);
      }
      at += (await tryChange(at)) ? 1 : 0;
    }
    process.stdout.write(`${JSON.stringify({ seed: SEED, cases: CASES, ...tally })}\n`);
    expect(tally["compared to the cent or 0.3 %"]).toBeGreaterThan(0);
  },
  CASES * 3_000 + 60_000,
);

/** Moves all stored times into the past. Draws move by whole minutes. */
async function pass(minutes: number): Promise<void> {
  const by = `${minutes} minutes`;
  await t.sql`update activity set achieve_start_time = achieve_start_time - ${by}::interval,
    achieve_end_time = achieve_end_time - ${by}::interval, start_time = start_time - ${by}::interval,
    end_time = end_time - ${by}::interval, created_at = created_at - ${by}::interval, start_date = (start_time - ${by}::interval) at time zone 'Asia/Shanghai'`;
  await t.sql`update pool_version set created_at = created_at - ${by}::interval`;
  await t.sql`update draw_record set created_at = created_at - ${by}::interval`;
  await t.sql`update rollup_delta set minute = minute - ${minutes}::integer where list = 'draw_record'`;
  await t.sql`
    with gone as (delete from rollup where list = 'draw_record' returning *)
    insert into rollup_delta (list, minute, a, b, n, cents)
    select list, start - ${minutes}::integer, a, b, n, cents from gone where width = 1`;
  await t.sql`select rollup_fold()`;
  await t.sql`update risked set at = at - ${by}::interval`;
}

/** A change, or a number of minutes that pass. */
type Step = (stage: Stage) => Change | number | null;

const first = <T>(rows: readonly T[]): T => {
  const [row] = rows;
  if (row === undefined) {
    throw new Error("the stage has none");
  }
  return row;
};

interface Moment {
  readonly state: State;
  readonly ms: number;
}

/**
 * Checks that the changes between the first and the last moment cost no more than one person may risk. Granted draws
 * count only while stock lasts: if the mean cost of a draw has grown since the grant, pieces would count twice.
 */
function judge(moments: readonly Moment[], sum: number, context: string): void {
  const [from, to] = [first(moments), first(moments.slice(-1))];
  const moved = movedTo(from.state, to.state, to.ms - from.ms);
  const states = moments.map(({ state }) => state);
  const span = spanOf(states, moved);
  const valued = valueFromOutside(span.from, to.state, span);
  const { worth, entering, granted, pace, slack } = valued;
  const cost = Math.max(worth + entering, granted - slack, pace - slack);
  expect(cost, `${context}: ${JSON.stringify(valued)}`).toBeLessThanOrEqual(sum * 1.003 + 1);
}

/**
 * Runs the steps as one person without an approval. Returns the code of each change, or null if the preview
 * was rejected.
 */
async function act(steps: readonly Step[], sum: number, context: string) {
  const moments: Moment[] = [{ state: await readState(t), ms: 0 }];
  const done: unknown[] = [];
  const codes: (number | null)[] = [];
  let ms = 0;
  for (const step of steps) {
    const made = step(await stageNow());
    if (typeof made === "number") {
      await pass(made);
      ms += made * 60_000;
    } else if (made !== null) {
      const told = await ask(made);
      await setSetting(t.db, "guard_sum", "off");
      await setSetting(t.db, "band_second", (sum / 100).toFixed(2));
      const answer = told && (await send(made, "console", { "x-reason": "because" }));
      codes.push(answer?.code ?? null);
      done.push([made.route.path, made.params, made.body, told?.cents, answer?.code]);
    }
    moments.push({ state: await readState(t), ms });
  }
  for (const [at, to] of moments.entries()) {
    for (const [since, from] of moments.slice(0, at).entries()) {
      if (to.ms - from.ms < DAY_MS) {
        const span = moments.slice(since, at + 1);
        judge(span, sum, `${context}, a sum of ${sum}: ${JSON.stringify(done)}`);
      }
    }
  }
  return codes;
}

const ofRound =
  (change: (round: Round, stage: Stage) => object): Step =>
  (stage) => {
    const round = first(stage.state.rounds);
    return saveRound(round, stage, change(round, stage));
  };
/** Changes the most expensive prize, or the prize at index `at`. */
const ofPrize =
  (change: (prize: Prize) => object, at = 0): Step =>
  ({ state, pools }) => {
    const prize = first(state.prizes.slice(at));
    const body = { ...formOf(prize), pool_name: pools.get(prize.pool_id), ...change(prize) };
    return { route: prizeRoutes.update, params: { id: prize.id }, body };
  };
const hold =
  (rounds_status: 0 | 1): Step =>
  ({ state }) => {
    const { id } = first(state.rounds);
    return { route: activityRoutes.pause, params: { id }, body: { rounds_status } };
  };
const stock =
  (at: number, add: number): Step =>
  ({ state }) => {
    const { id } = first(state.prizes.slice(at));
    return { route: prizeRoutes.addStock, params: { id }, body: { add } };
  };
const wait =
  (minutes: number): Step =>
  () =>
    minutes;
const endIn = (ms: number) => ofRound((_, { state }) => ({ end_time: textOf(state.now + ms) }));

const DEARER = ofPrize(({ award_price_cents }) => ({ award_price: award_price_cents * 5 }));
const ALL = { condition_name: "0", condition_formula: "0", condition_type: "0" };
const DEAR_PRIZE = {
  award_name: "贵",
  award_price: "9999.00",
  weight: 1,
  award_total: 99,
  floors: 0,
};
const DEAR_POOL: Step = () => {
  return {
    route: poolRoutes.save,
    body: { pool_name: "贵池", is_new: true, rows: [DEAR_PRIZE] },
  };
};
const NEW_ROUND: Step = (stage) => {
  const { body } = saveRound(first(stage.state.rounds), stage, {});
  const other = { rounds_name: "另一轮", pool_name: "贵池" };
  return { route: activityRoutes.create, body: { ...body, ...other } };
};
const DECOY: Step = ({ state, pools }) => {
  const [big, small] = [first(state.prizes), first(state.prizes.slice(1))];
  const read = ({ id, version }: Prize) => ({ id, version });
  const rows = [{ ...formOf(small), ...read(small), award_price: "9.00" }];
  const pool_name = pools.get(big.pool_id);
  return { route: poolRoutes.save, body: { pool_name, rows, removed: [read(big)] } };
};

/** Each of these ways would cost more than 50.00. */
const WAYS: Readonly<Record<string, readonly Step[]>> = {
  "a price while the round is paused": [hold(0), DEARER, hold(1)],
  "a price when it was paused for long": [hold(0), wait(11), DEARER, hold(1)],
  "a price before the round begins": [
    ofRound((_, { state }) => ({ start_time: textOf(state.now + 3_600_000) })),
    DEARER,
    wait(61),
  ],
  "a price in the last second": [endIn(2_000), DEARER, endIn(DAY_MS)],
  "a condition of a hundredth": [ofRound(() => ({ condition_value: "12.00" }))],
  "no condition": [ofRound(() => ({ ...ALL, condition_value: "0", condition_times: 5 }))],
  "a limit taken away": [ofRound(() => ({ draws_max: null, condition_value: "12.00" }))],
  "a new round on a pool of dear prizes": [DEAR_POOL, NEW_ROUND],
  "a decoy that nets away": [DECOY],
  "stock by its own button": [stock(0, 500)],
  "ten times the weight": [ofPrize(({ weight }) => ({ weight: weight * 10 }))],
  "many small edits": Array.from({ length: 12 }, () => stock(1, 40)),
  "half of it each day": [stock(1, 40), wait(1_441), stock(1, 40)],
};

/**
 * Makes a round that gives one draw for each 120.00 to players who deposited 100.00. Its pool has one expensive prize.
 */
async function makePlain(draws_max: number | null): Promise<void> {
  await clearInstallation(t);
  const pool_id = await makePool(t.db, { pool_name: "活池" });
  await makePrize(t.db, { pool_id, award_price_cents: 88_800, weight: 100, award_total: 500 });
  await makePrize(t.db, { pool_id, award_price_cents: 100, weight: 99_900 });
  const { prize_id } = await makeRound(t.db, { ...PER_120, pool_id, draws_max });
  await t.sql`delete from prize where id = ${prize_id}`;
  for (let made = 0; made < 9; made += 1) {
    const { player_id, user_name } = await makePlayer(t.db);
    const created_at = new Date().toISOString();
    await feed(t.db, "deposits", [depositOf(player_id, { user_name, created_at })]);
  }
}

test.each(Object.entries(WAYS))("%s is no way round the sum", async (name, steps) => {
  await makePlain(name === "a limit taken away" ? 1 : null);
  const codes = await act(steps, 5_000, name);
  expect(codes.filter((code) => code !== 200 && code !== 202)).toEqual([]);
});

const RANDOM: Step = (stage) =>
  dice.below(5) === 0
    ? dice.oneOf([1, 11, 61, 1_441])
    : (EDITS[dice.oneOf(Object.keys(EDITS))]?.(stage) ?? null);

test(
  `${SEQUENCES} orders of up to twelve changes, seed ${SEED}: none costs more`,
  async () => {
    let changes = 0;
    for (let at = 0; at < SEQUENCES; at += 1) {
      await makeInstallation(t, dice);
      const steps = Array.from({ length: 2 + dice.below(11) }, () => RANDOM);
      const sum = dice.oneOf([1, 10_000, 1_000_000, 100_000_000]);
      changes += (await act(steps, sum, `order ${at} of seed ${SEED}`)).length;
    }
    expect(changes).toBeGreaterThan(0);
  },
  SEQUENCES * 60_000 + 60_000,
);
