/**
 * Random histories of changes that wait, with connections killed under the calls: what ran was approved by another,
 * as it was planned, once; nothing else ran. `npm run prove -- approvals`: 1,000.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { approvalRoutes } from "@red/contract/approval";
import { extraTimesRoutes } from "@red/contract/extra-times";
import { operatorRoutes } from "@red/contract/operators";
import { prizeRoutes } from "@red/contract/prize";
import { recordRoutes } from "@red/contract/record";
import { fillPath } from "@red/contract/route";
import type { Route } from "@red/contract/route";
import { tagRoutes } from "@red/contract/tag";
import { buildApp } from "#app";
import { openDb, openPool } from "#platform/connection";
import { freshCode, makeEndedRound, openSession, setBand, unused } from "#test/contract-world";
import { diceOf } from "#test/dice";
import { makeOperator, makePlayer, makePool, makePrize, makeRecords } from "#test/factories";
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
  /** Another change, after which the plan no longer fits. */
  readonly spoil: () => Promise<unknown>;
  /** How often it has run. */
  readonly runs: () => Promise<number>;
}

/** A change that waits, by its reason; it may have been lost with its connection. */
interface Asked extends Change {
  readonly reason: string;
  readonly maker: Person;
}

interface Person {
  readonly name: string;
  readonly id: number;
  readonly token: string;
}

const people: Person[] = [];
const apps: Awaited<ReturnType<typeof buildApp>>[] = [];
const tally: Record<string, number> = {};
const count = (what: string, more = 1) => (tally[what] = (tally[what] ?? 0) + more);

const KINDS: readonly (() => Promise<Change>)[] = [
  async () => {
    const { player_key, user_name } = await makePlayer(t.db);
    return {
      route: extraTimesRoutes.grant,
      body: { user_names: [user_name], tag: "weekend", expire_time: "2049-01-01 00:00:00" },
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

async function send(by: Person, route: Route, id: number, payload: object, reason = "because") {
  const url = fillPath(route.path, { id });
  const headers = { token: by.token, "x-reason": reason };
  // Codes from one address are judged one after another.
  const remoteAddress = `10.0.${by.id % 256}.1`;
  const app = oneOf(apps);
  const answer = await app.inject({ method: route.method, url, headers, payload, remoteAddress });
  expect(app === a.app ? answer.statusCode : 0, answer.body).toBeLessThan(500);
  count(answer.statusCode >= 500 ? "answered by a fault" : "answered");
}

const coded = async ({ name }: Person, body: object) => ({
  ...body,
  code: await freshCode(t.db, a.services.secrets, name),
});

/** Does it all at once, now and then ending connections in the middle of their transactions. */
async function atOnce(...calls: readonly Promise<unknown>[]): Promise<void> {
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
  await all;
}

async function ask(): Promise<Asked> {
  const change = await oneOf(KINDS)();
  const [maker, reason] = [oneOf(people), unused("reason")];
  const needsCode = change.route === operatorRoutes.create;
  const body = needsCode ? await coded(maker, change.body) : change.body;
  const sent = send(maker, change.route, change.id ?? 0, body, reason);
  await (below(3) === 0 ? atOnce(sent) : sent);
  return { ...change, reason, maker };
}

async function approve(ids: readonly number[], ...by: readonly Person[]): Promise<void> {
  const bodies = await Promise.all(by.map((one) => coded(one, { ids })));
  await atOnce(...by.map((one, at) => send(one, approvalRoutes.approve, 0, bodies[at] ?? {})));
}

const approveTwice = (ids: readonly number[]) =>
  approve(ids, ...people.toSorted(() => below(3) - 1).slice(0, 2));

/** What may happen to one of the changes that wait. */
const actsOn = ({ maker, spoil }: Asked, id: number, ids: readonly number[]) => [
  () => approve([id], oneOf(people)),
  () => approveTwice(ids),
  spoil,
  spoil,
  () => atOnce(send(oneOf([...people, maker]), approvalRoutes.refuse, id, { reason: "no" })),
  () => changeRows(t.db, "operator", { id: maker.id }, { disabled: true }),
  () => changeRows(t.db, "approval", { id }, { expires_at: sql`now() - interval '1 s'` }),
];

interface Told {
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** As it is compared: without what is made anew, and in one order. */
const told = (rows: readonly Told[]) =>
  rows
    .map(({ action, before, after }) =>
      JSON.stringify([action, before, after], (key, value: unknown) =>
        ["id", "batch_id", "job_id"].includes(key) ? undefined : value,
      ),
    )
    .toSorted();

/** The audit rows of the change, between two decisions of the request that ran it. */
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

/** The change is what it should be. */
async function check({ reason, maker, runs }: Asked, history: string): Promise<void> {
  const [row, ...more] = await rowsOf(t.db, "approval", { reason });
  expect(more, history).toEqual([]);
  const isDone = row?.state === "done";
  count(row?.state ?? "never asked");
  expect(await runs(), `${history}: runs of ${JSON.stringify(row)}`).toBe(isDone ? 1 : 0);
  const { times, rows } = await written(row?.id ?? 0);
  expect(times, `${history}: decisions of ${row?.id}`).toBe(isDone ? 1 : 0);
  if (isDone) {
    expect(row.decider_id, history).not.toBe(maker.id);
    expect(told(rows), history).toEqual(told(row.plan));
    expect([...new Set(rows.map(({ actor }) => actor))], history).toEqual([maker.name]);
  }
}

async function history(name: string): Promise<void> {
  const asked: Asked[] = [];
  for (let made = below(3); made >= 0; made -= 1) {
    asked.push(await ask());
  }
  const find = asked.map(({ reason }) => rowsOf(t.db, "approval", { reason }));
  const rows = (await Promise.all(find)).flat();
  const ids = rows.map(({ id }) => id);
  for (let acts = below(5) + 2; acts > 0 && rows.length > 0; acts -= 1) {
    const { id, reason } = oneOf(rows);
    const [one] = asked.filter((change) => change.reason === reason);
    await (one === undefined || acts === 1 ? approveTwice(ids) : oneOf(actsOn(one, id, ids))());
  }
  for (const one of asked) {
    await check(one, name);
  }
  await changeRows(t.db, "operator", {}, { disabled: false });
}

test(
  `${HISTORIES} histories, seed ${SEED}: none approved by its maker, run twice, or with another plan`,
  async () => {
    for (const role of ["admin", "admin", "admin", "operations", "support"] as const) {
      const name = unused("person");
      const id = await makeOperator(t.db, name, { roles: [role] });
      people.push({ name, id, token: await openSession(t.db, name) });
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
