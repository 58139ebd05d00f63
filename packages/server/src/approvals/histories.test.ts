/**
 * Random histories of waiting changes, with connections killed during calls, while roles and prices change.
 * A model predicts the result: a change runs only after another person approved it, as planned, and once.
 * `npm run prove -- approvals`: 1,000.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { approvalRoutes } from "@red/contract/approvals/approval";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { operatorRoutes } from "@red/contract/identity/operators";
import { ROLES } from "@red/contract/platform/permissions";
import type { Role } from "@red/contract/platform/permissions";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import { fillPath } from "@red/contract/platform/route";
import type { Route } from "@red/contract/platform/route";
import { tagRoutes } from "@red/contract/rounds/tag";
import { text } from "@red/contract/platform/texts";
import { buildApp } from "#app";
import { openDb, openPool } from "#platform/db/connection";
import { freshCode, makeEndedRound, openSession, setBand, unused } from "#test/contract-world";
import { diceOf } from "#test/dice";
import {
  makeOperator,
  makePlayer,
  makePool,
  makePrize,
  makeRecords,
  makeRound,
} from "#test/factories";
import { auditsOf, changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const HISTORIES = Number(process.env["PROVE_N"] ?? 15);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);
const { below, oneOf } = diceOf(SEED);

const t = useTestDb();
const a = useTestApp(t);

interface Change {
  readonly route: Route;
  readonly id?: number;
  readonly body: object;
  /** Makes another change, after which the plan no longer fits. */
  readonly spoil: () => Promise<unknown>;
  /** Changes the price of the prize that this change may give away. */
  readonly price?: (cents: number) => Promise<unknown>;
  /** Returns how many times the change has run. */
  readonly runs: () => Promise<number>;
}

interface Person {
  readonly name: string;
  readonly id: number;
  readonly token: string;
  readonly role: Role;
  roles: Role[];
  disabled: boolean;
}

/** A waiting change, identified by its reason. The change may have been lost with its connection. */
interface Asked extends Change {
  readonly approval: number;
  readonly reason: string;
  readonly maker: Person;
  /** The state that the model expects. */
  fate: string;
  isOver: boolean;
  isSpoiled: boolean;
  isDearer: boolean;
}

type Fates = Map<Asked, string>;

/** A call that decides, and its expected effect on the waiting changes. */
interface Decision {
  readonly by: Person;
  readonly route: Route;
  readonly id: number;
  readonly body: object;
  readonly decides: (fates: Fates) => void;
}

const people: Person[] = [];
const apps: Awaited<ReturnType<typeof buildApp>>[] = [];
const tally: Record<string, number> = {};
const count = (what: string, more = 1) => (tally[what] = (tally[what] ?? 0) + more);

/** Price of the prize that a grant may win, at the time of the request. */
const PRICE = 888;

const KINDS: readonly (() => Promise<Change>)[] = [
  async () => {
    const { player_key, user_name } = await makePlayer(t.db);
    const tag = unused("group");
    await t.sql`insert into activity_tag (tag, label) values (${tag}, ${tag})`;
    const { prize_id } = await makeRound(t.db, { tag });
    await changeRows(t.db, "prize", { id: prize_id }, { award_price_cents: PRICE });
    return {
      route: extraTimesRoutes.grant,
      body: { user_names: [user_name], tag, expire_time: "2049-01-01 00:00:00" },
      price: (award_price_cents) =>
        changeRows(t.db, "prize", { id: prize_id }, { award_price_cents }),
      spoil: () =>
        changeRows(t.db, "player", { player_key }, { blocked: true, blocked_at: sql`now()` }),
      runs: async () => (await rowsOf(t.db, "extra_time", { player_key })).length,
    };
  },
  async () => {
    const id = await makePrize(t.db, { pool_id: await makePool(t.db), award_total: 1 });
    return {
      route: prizeRoutes.addStock,
      id,
      body: { add: 100 },
      spoil: () => changeRows(t.db, "prize", { id }, { award_total: sql`award_total + 1` }),
      runs: async () => Math.floor((await rowOf(t.db, "prize", { id })).award_total / 100),
    };
  },
  async () => {
    const body = { tag: unused("group"), label: "approved" };
    return {
      route: tagRoutes.create,
      body,
      spoil: () => t.sql`insert into activity_tag (tag, label) values (${body.tag}, 'other')
                         on conflict do nothing`,
      runs: async () => (await rowsOf(t.db, "activity_tag", body)).length,
    };
  },
  async () => {
    const round = await makeEndedRound(t.db);
    const [made] = await makeRecords(t.db, round, await makePlayer(t.db), [{ state: "refused" }]);
    const of = { log_id: made?.log_id ?? 0 };
    return {
      route: recordRoutes.reissue,
      body: { log_ids: [of.log_id] },
      spoil: () => changeRows(t.db, "payout", { ...of, state: "refused" }, { state: "closed" }),
      runs: async () => (await rowsOf(t.db, "job_row", of)).length,
    };
  },
  async () => {
    const name = unused("made");
    return {
      route: operatorRoutes.create,
      body: { name, roles: ["viewer"] },
      spoil: () => makeOperator(t.db, name).catch(() => "is there"),
      runs: async () => (await rowsOf(t.db, "operator", { name, roles: ["viewer"] })).length,
    };
  },
];

/** Returns the result of a call, or null if the server may or may not have run the call. */
async function send(by: Person, route: Route, id: number, payload: object, reason = "because") {
  const url = fillPath(route.path, { id });
  const headers = { token: by.token, "x-reason": reason };
  // Codes from one address are checked one after another, so each person sends from a different address.
  const remoteAddress = `10.0.${by.id % 256}.1`;
  const app = oneOf(apps);
  const answer = await app.inject({ method: route.method, url, headers, payload, remoteAddress });
  expect(app === a.app ? answer.statusCode : 0, answer.body).toBeLessThan(500);
  const isSure = answer.statusCode < 500;
  count(isSure ? "answered" : "answered by a fault");
  return isSure ? answer.json<{ data: { results?: object[] } | null }>() : null;
}

const coded = async ({ name }: Person, body: object) => ({
  ...body,
  code: await freshCode(t.db, a.services.secrets, name),
});

/** Runs all calls at once, and sometimes ends connections in the middle of their transactions. */
async function atOnce<T>(...calls: readonly Promise<T>[]): Promise<T[]> {
  let isOver = false;
  const all = Promise.all(calls).finally(() => (isOver = true));
  await sleep(below(25));
  for (let doomed = below(3) === 0; doomed && !isOver; await sleep(1)) {
    const ended = await t.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'killed'
        and state <> 'idle' and xact_start is not null`;
    count("kills", ended.length);
    doomed = ended.length === 0;
  }
  return await all;
}

const may = ({ roles }: Person, { auth }: Route): boolean =>
  auth.by === "operator" &&
  roles.some((role) => ROLES[role].some((one) => one === auth.permission));

async function ask(): Promise<Asked> {
  const change = await oneOf(KINDS)();
  const [maker, reason, again] = [oneOf(people), unused("reason"), unused("again")];
  const needsCode = change.route === operatorRoutes.create;
  const body = needsCode ? await coded(maker, change.body) : change.body;
  const repeat = (why: string) => send(maker, change.route, change.id ?? 0, body, why);
  const answer = below(3) === 0 ? (await atOnce(repeat(reason)))[0] : await repeat(reason);
  const [row] = await rowsOf(t.db, "approval", { reason });
  if (answer) {
    expect(row !== undefined, reason).toBe(may(maker, change.route));
  }
  if (row && needsCode) {
    await repeat(again);
    expect(await rowsOf(t.db, "approval", { reason: again }), "a code once more").toEqual([]);
  }
  const fate = row?.state ?? "never asked";
  const model = { fate, isOver: false, isSpoiled: false, isDearer: false };
  return { ...change, ...model, approval: row?.id ?? 0, reason, maker };
}

const MAKER_DISABLED = text("approval_maker_disabled", "zh");

/** Returns the expected state after a permitted operator approves the change. */
function fateOf({ maker, route, isSpoiled, isDearer }: Asked): string {
  const bar = may(maker, route) ? "as it ran" : "not permitted";
  const why = maker.disabled ? "disabled" : bar;
  return why === "as it ran" && !isSpoiled && !isDearer ? "done" : `differs: ${why}`;
}

/** Returns the state of a row in the model's words. The note for the maker gives the reason. */
function told({ state, note }: { readonly state: string; readonly note: string | null }): string {
  const makers = note === MAKER_DISABLED ? "disabled" : "as it ran";
  const why = note?.startsWith("没有权限") ? "not permitted" : makers;
  return state === "differs" ? `differs: ${note === null ? "no word" : why}` : state;
}

const isOpen = (one: Asked, fates: Fates) => fates.get(one) === "waiting" && !one.isOver;
const sees = (by: Person, one: Asked) => !by.disabled && (one.maker === by || may(by, one.route));

async function approval(all: readonly Asked[], by: Person): Promise<Decision> {
  const body = await coded(by, { ids: all.map((one) => one.approval) });
  const decides = (fates: Fates) => {
    // A change that the approver cannot see rolls back the whole call.
    for (const one of all.every((other) => sees(by, other)) ? all : []) {
      if (one.maker !== by && isOpen(one, fates)) {
        fates.set(one, fateOf(one));
      }
    }
  };
  return { by, route: approvalRoutes.approve, id: 0, body, decides };
}

function refusal(one: Asked, by: Person): Decision {
  const decides = (fates: Fates) => {
    if (sees(by, one) && isOpen(one, fates)) {
      fates.set(one, one.maker === by ? "withdrawn" : "refused");
    }
  };
  return { by, route: approvalRoutes.refuse, id: one.approval, body: { reason: "no" }, decides };
}

/** Orders in which the server may have run two calls. A lost call may be missing. */
const ORDERS = [[0, 1], [1, 0], [0], [1], []] as const;

/** Sends the calls at once, and checks that the state of each change fits one possible order. */
async function decide(waits: readonly Asked[], ...calls: readonly Decision[]): Promise<void> {
  const sent = calls.map(({ by, route, id, body }) => send(by, route, id, body));
  const answers = await atOnce(...sent);
  const possible = ORDERS.filter((order: readonly number[]) =>
    calls.every((_, at) => answers[at] === null || order.includes(at)),
  ).map((order) => {
    const fates: Fates = new Map(waits.map((one) => [one, one.fate]));
    order.forEach((at) => calls[at]?.decides(fates));
    return [...fates.values()].join();
  });
  const rows = await Promise.all(waits.map(({ approval: id }) => rowOf(t.db, "approval", { id })));
  const context = JSON.stringify({ waits, calls, rows });
  expect(possible, context).toContain(rows.map(told).join());
  for (const [at, { id, state, note, decider_id }] of rows.entries()) {
    const answer = answers[calls.findIndex(({ by }) => by.id === decider_id)];
    const [one] = waits.slice(at);
    if (one?.fate === "waiting" && answer?.data?.results) {
      expect(answer.data.results, context).toContainEqual(
        expect.objectContaining({ id, state, note }),
      );
    }
    Object.assign(one ?? {}, { fate: told({ state, note }) });
  }
}

async function approveTwice(waits: readonly Asked[]): Promise<void> {
  const [one, other] = people.toSorted(() => below(3) - 1);
  if (one && other) {
    await decide(waits, await approval(waits, one), await approval(waits, other));
  }
}

async function alter(person: Person, values: { roles: Role[] } | { disabled: boolean }) {
  Object.assign(person, values);
  await changeRows(t.db, "operator", { id: person.id }, values);
}

/** Returns the actions that may happen to one of the waiting changes. */
function actsOn(one: Asked, waits: readonly Asked[]): readonly (() => Promise<unknown>)[] {
  const { approval: id, maker, price } = one;
  const spoil = async () => {
    one.isSpoiled = true;
    await one.spoil();
  };
  const reprice = async () => {
    const cents = oneOf([PRICE - 1, PRICE, PRICE + 1, PRICE + 1, PRICE + 1 + below(PRICE)]);
    one.isDearer = cents > PRICE;
    await price?.(cents);
  };
  const anyone = () => oneOf([...people, maker, maker]);
  return [
    async () => decide(waits, await approval([one], oneOf(people))),
    () => approveTwice(waits),
    spoil,
    ...(price === undefined ? [] : [reprice, reprice, reprice]),
    () => decide(waits, refusal(one, anyone())),
    () => alter(anyone(), { disabled: below(2) === 0 }),
    () => alter(anyone(), { roles: oneOf([[], ["viewer"], ["support"], ["admin"]]) }),
    async () => {
      one.isOver = true;
      await changeRows(t.db, "approval", { id }, { expires_at: sql`now() - interval '1 s'` });
    },
  ];
}

interface Row {
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns rows for comparison: in one order, without values that are new on each run. */
const compared = (rows: readonly Row[]) =>
  rows
    .map(({ action, before, after }) =>
      JSON.stringify([action, before, after], (key, value: unknown) =>
        ["id", "batch_id", "job_id"].includes(key) ? undefined : value,
      ),
    )
    .toSorted();

/** Returns the audit rows of the change, which lie between two decisions of the request that ran the change. */
async function written(id: number) {
  const decisions = { action: "approve_change", object_id: String(id) };
  const rows = await auditsOf(t.db, ["id", "request_id", "after"], decisions);
  const done = rows.filter(({ after }) => (after as { state: string }).state === "done");
  const all = await auditsOf(t.db, ["id", "action", "before", "after", "actor"], {
    request_id: done[0]?.request_id ?? "",
  });
  const end = all.findIndex((row) => row.id === done[0]?.id);
  const start = all.findLastIndex(({ action }, at) => at < end && action === decisions.action);
  return { times: done.length, rows: all.slice(start + 1, Math.max(end, 0)) };
}

/** Checks that the change ran once if done, else never, and that audit rows and news agree. */
async function check({ reason, maker, runs, fate }: Asked, history: string): Promise<void> {
  const [row, ...more] = await rowsOf(t.db, "approval", { reason });
  expect(more, history).toEqual([]);
  const isDone = row?.state === "done";
  count(fate);
  expect(await runs(), `${history}: runs of ${JSON.stringify(row)}`).toBe(isDone ? 1 : 0);
  const { times, rows } = await written(row?.id ?? 0);
  expect(times, `${history}: decisions of ${row?.id}`).toBe(isDone ? 1 : 0);
  if (row?.decided_by) {
    const { path } = approvalRoutes.news;
    const news = await a.app.inject({ url: path, headers: { token: maker.token } });
    const { id, state, decided_by } = row;
    const decided: unknown = expect.arrayContaining([{ id, state, decided_by }]);
    expect(news.json(), history).toMatchObject({ data: { decided } });
  }
  if (isDone) {
    expect(row.decider_id, history).not.toBe(maker.id);
    expect(compared(rows), history).toEqual(compared(row.plan));
    expect([...new Set(rows.map(({ actor }) => actor))], history).toEqual([maker.name]);
  }
}

async function history(name: string): Promise<void> {
  const asked: Asked[] = [];
  for (let made = below(3); made >= 0; made -= 1) {
    asked.push(await ask());
  }
  const waits = asked.filter(({ fate }) => fate === "waiting");
  for (let acts = below(5) + 2; acts > 0 && waits.length > 0; acts -= 1) {
    await (acts === 1 ? approveTwice(waits) : oneOf(actsOn(oneOf(waits), waits))());
  }
  for (const person of people) {
    await alter(person, { disabled: false });
    await alter(person, { roles: [person.role] });
  }
  for (const one of asked) {
    await check(one, name);
  }
}

test(
  `${HISTORIES} histories, seed ${SEED}: each change becomes what it must`,
  async () => {
    for (const role of ["admin", "admin", "admin", "operations", "support"] as const) {
      const name = unused("person");
      const id = await makeOperator(t.db, name, { roles: [role] });
      const token = await openSession(t.db, name);
      people.push({ name, id, token, role, roles: [role], disabled: false });
    }
    await setBand(t.db, "0.00");
    const options = { max: 8, name: "killed", statementTimeoutMs: 60_000, onFault() {} };
    const killed = openDb(openPool(t.connection, options));
    const other = await buildApp({ ...a.deps, db: killed });
    apps.push(a.app, other);
    for (let at = 0; at < HISTORIES; at += 1) {
      await history(`history ${at} of seed ${SEED}`);
    }
    await other.close();
    await killed.destroy();
    process.stdout.write(`${JSON.stringify({ seed: SEED, histories: HISTORIES, ...tally })}\n`);
    expect(tally["done"]).toBeGreaterThan(0);
  },
  HISTORIES * 10_000 + 60_000,
);
