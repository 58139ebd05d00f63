import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { activityRoutes } from "@red/contract/rounds/activity";
import { AppError } from "@red/contract/platform/errors";
import { insertAudit, insertRefusal } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import { buildApp } from "#app";
import { fadingCounts, slowGuesses } from "./auth-throttle.ts";
import { countWrongCodes, hasSignedInFrom, requireCodesLeft } from "./operator-sql.ts";
import { makeOperator } from "#test/factories";
import {
  attempt,
  codeAt,
  newOperator,
  operatorId,
  PASSWORD,
  TEST_ACTOR,
} from "#test/operator-factory";
import { auditsOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb, watched } from "#test/test-db";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const ROUNDS = "/open/v1/rounds";
const LIST = `${activityRoutes.list.path}?page=1&size=20`;
const guessedKey = () => ({ ...a.sign("GET", ROUNDS, ""), "x-signature": "0".repeat(64) });
const guessedToken = () => ({ token: randomBytes(32).toString("base64url") });

const plantFailures = (name: string, address: string) =>
  t.sql`insert into login_failure (name_key, address) select ${name}, ${address} from generate_series(1, 10)`;

async function get(url: string, headers: Record<string, string>, remoteAddress: string) {
  const from = performance.now();
  const { statusCode, body } = await a.app.inject({ url, headers, remoteAddress });
  return { status: statusCode, body, ms: performance.now() - from };
}

test.each([
  ["signatures", "10.0.0.1", ROUNDS, guessedKey, () => a.sign("GET", ROUNDS, ""), '"rounds":'],
  ["tokens", "10.0.0.2", LIST, guessedToken, () => ({ token: a.token }), '"code":200'],
])("wrong %s are answered later and later, right ones at once", async (...[, address, ...of]) => {
  const [url, guessed, right, good] = of;
  const many = (count: number) => Array.from({ length: count }, () => get(url, guessed(), address));
  const first = await Promise.all(many(10));
  expect(first.filter(({ status }) => status === 429)).toEqual([]);
  const order: string[] = [];
  const all = Promise.all(many(40)).finally(() => order.push("guesses"));
  expect((await get(url, right(), address)).body).toContain(good);
  order.push("right");
  const answers = await all;
  expect(order).toEqual(["right", "guesses"]);
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeGreaterThan(500);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(20);
  expect((await get(url, guessed(), "10.0.0.9")).status).not.toBe(429);
});

test("an address that guesses on 70 connections gets few answers, and a right call its answer at once", async () => {
  const address = "10.0.0.5";
  let [heard, isOn] = [0, true];
  const guess = async () => {
    for (; isOn; heard += 1) {
      await get(LIST, guessedToken(), address);
    }
  };
  const guessing = Promise.allSettled(Array.from({ length: 70 }, guess));
  await setTimeout(500);
  expect((await get(LIST, { token: a.token }, address)).ms).toBeLessThan(1_000);
  await setTimeout(1_500);
  isOn = false;
  expect(heard).toBeLessThan(64);
  // While 64 requests wait, the server closes further connections.
  expect((await guessing).filter(({ status }) => status === "rejected").length).toBeGreaterThan(4);
});

test.each([
  "token_unknown",
  "token_malformed",
  "ticket_spent",
  "key_unknown",
  "signature_invalid",
  "signed_out",
] as const)(
  "of an address the eleventh wrong one waits 100 ms, each further one 100 more: %s",
  // Timers may fire late on a busy machine.
  { retry: 3 },
  async (key) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = slowGuesses();
    const error = new AppError(key);
    const answer = async () => {
      const from = performance.now();
      const answered = await slow(error, "10.0.0.1");
      return [answered?.key, Math.floor((performance.now() - from + 5) / 100)];
    };
    const many = async (count: number) => await Promise.all(Array.from({ length: count }, answer));
    expect(await many(10)).toEqual(Array(10).fill([key, 0]));
    const isFree = key === "signed_out";
    expect(await answer()).toEqual([key, isFree ? 0 : 1]);
    vi.setSystemTime(Date.now() + 10_000);
    expect(await answer()).toEqual([key, isFree ? 0 : 1]);
    if (key === "signature_invalid") {
      const answers = await many(80);
      expect(answers.filter(([one]) => one === key)).toHaveLength(8);
      expect(answers.filter(([one]) => one === "too_many_requests")).toHaveLength(56);
      expect(answers.filter(([one]) => one === undefined)).toHaveLength(16);
      expect(answers[0]).toEqual([key, 2]);
      expect(answers.slice(28, 64)).toEqual(Array(36).fill(["too_many_requests", 30]));
    }
  },
);

test("counts fade, stop at their maximum, and the oldest name is forgotten", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const counts = fadingCounts(1_000, 3);
  for (const name of ["a", "a", "b", "a", "a"]) {
    counts.add(name);
  }
  expect([counts.of("a"), counts.of("b"), counts.of("c")]).toEqual([3, 1, 0]);
  vi.setSystemTime(Date.now() + 1_500);
  expect([counts.of("a"), counts.of("b"), counts.add("a", -1)]).toEqual([1.5, 0, 0.5]);
  expect(counts.add("b")).toBe(1);
  for (let at = 2; at < 10_000; at += 1) {
    counts.add(`c${at}`);
  }
  expect([counts.of("a"), counts.of("b")]).toEqual([0.5, 1]);
  counts.add("b");
  counts.add("c");
  expect([counts.of("a"), counts.of("b"), counts.of("c2"), counts.of("c")]).toEqual([0, 2, 1, 1]);
  vi.useRealTimers();
});

test("wrong sign-ins do not lock out an operator who has signed in from that address", async () => {
  // Fake time keeps the counts from falling on a slow machine.
  vi.useFakeTimers({ toFake: ["Date"] });
  const address = "10.0.0.3";
  const signIn = async (username: string, password: string, remoteAddress = address) => {
    const answer = await a.app.inject({
      method: "POST",
      url: "/oauth/login",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ username, password }),
      remoteAddress,
    });
    return answer.json<{ code: number }>().code;
  };
  for (const name of ["here", "elsewhere", "before"]) {
    await newOperator(t.db, a.services.secrets, name, new Date());
  }
  const id = await operatorId(t.db, "before");
  const signedIn = { action: "log_in", object_type: "operator", object_id: id };
  await inTransaction(t.db, (tx) => insertAudit(tx, { ...TEST_ACTOR, address }, signedIn));
  expect(await signIn("here", PASSWORD)).toBe(407);
  await plantFailures("locked", address);
  expect(await signIn("locked", PASSWORD)).toBe(1002);
  const flood = Array.from({ length: 120 }, (_, at) => signIn(`nobody-${at}`, PASSWORD));
  expect(new Set(await Promise.all(flood))).toEqual(new Set([1001]));
  expect(await signIn("nobody", PASSWORD)).toBe(429);
  expect(await signIn("elsewhere", PASSWORD)).toBe(429);
  // This operator signed in from that address before the process started.
  expect(await signIn("Before", PASSWORD)).toBe(407);
  expect(await signIn("here", PASSWORD)).toBe(407);
  expect(await signIn("elsewhere", PASSWORD, "10.0.0.4")).toBe(407);
  vi.useRealTimers();
});

test("strangers at once share the query for the addresses of an account", async () => {
  await newOperator(t.db, a.services.secrets, "sought", new Date());
  const [id, address] = [await operatorId(t.db, "sought"), "10.0.0.6"];
  const signedIn = { action: "log_in", object_type: "operator", object_id: id };
  await inTransaction(t.db, (tx) => insertAudit(tx, { ...TEST_ACTOR, address }, signedIn));
  let queries = 0;
  const { db } = watched(t, () => (queries += 1));
  const from = (at: number) => hasSignedInFrom(db, { name: "sought", address: `10.0.0.${at}` });
  const others: [object, string][] = [
    [{ action: "log_out" }, "10.0.0.7"],
    [{ object_type: "pool" }, "10.0.0.8"],
    [{ object_id: id + 1_000_000 }, "10.0.0.9"],
  ];
  for (const [other, from] of others) {
    const row = { ...signedIn, ...other };
    await inTransaction(t.db, (tx) => insertAudit(tx, { ...TEST_ACTOR, address: from }, row));
  }
  await insertRefusal(t.db, { ...TEST_ACTOR, address: "10.0.0.10" }, signedIn);
  await inTransaction(t.db, (tx) => insertAudit(tx, TEST_ACTOR, signedIn));
  const known = await Promise.all(Array.from({ length: 50 }, (_, at) => from(at)));
  expect([known.indexOf(true), known.lastIndexOf(true), queries]).toEqual([6, 6, 1]);
  await from(6);
  expect(queries).toBe(2);
});

test("wrong codes of new addresses count for the account and since its password is in use", async () => {
  const id = await makeOperator(t.db, "counted");
  const wrong = { action: "log_in", object_type: "operator", object_id: id };
  const counted = { ...wrong, after: { new_address: true } };
  const set = { ...wrong, action: "change_password" };
  const count = () => countWrongCodes(t.db, id);
  for (const one of [counted, wrong, { ...counted, object_id: id + 1_000_000 }, set]) {
    await insertRefusal(t.db, TEST_ACTOR, one);
  }
  await insertRefusal(t.db, TEST_ACTOR, { ...counted, object_type: "pool" });
  await inTransaction(t.db, async (tx) => {
    await insertAudit(tx, TEST_ACTOR, counted, { ...set, object_id: id + 1_000_000 });
    await insertAudit(tx, TEST_ACTOR, { ...set, object_type: "pool" });
  });
  expect(await count()).toBe(1);
  const requireLeft = () => inTransaction(t.db, (tx) => requireCodesLeft(tx, id));
  for (let more = 1; more < 30; more += 1) {
    await requireLeft();
    await insertRefusal(t.db, TEST_ACTOR, counted);
  }
  const lock = { key: "login_codes_locked", values: { minutes: 60 } };
  await expect(requireLeft()).rejects.toMatchObject(lock);
  const ageBy = async (seconds: number) =>
    await t.sql`update audit_log set id = id - ${seconds}::bigint * 16384000
      where object_id = ${String(id)} and outcome = 'refused'`;
  await ageBy(7 * 86_400 - 60);
  expect(await count()).toBe(30);
  await ageBy(60);
  expect(await count()).toBe(0);
  await insertRefusal(t.db, TEST_ACTOR, counted);
  expect(await count()).toBe(1);
  await inTransaction(t.db, (tx) => insertAudit(tx, TEST_ACTOR, set));
  expect(await count()).toBe(0);
});

test("two strangers sign in at a time, 256 wait, and more are refused", async () => {
  const address = "192.0.2.99";
  await plantFailures("stranger", address);
  const tries = Array.from({ length: 260 }, () =>
    attempt(t.db, a.services.secrets, { name: "stranger", address }, new Date()),
  );
  const keys = (await Promise.allSettled(tries)).map((one) => "reason" in one && one.reason);
  const refused = keys.filter(({ key }) => key === "too_many_requests");
  const refusal = { values: { seconds: 5 } };
  expect(refused).toMatchObject([refusal, refusal]);
});

test.each([
  ["one proxy", 1, (port: number) => `198.51.100.9:${port}`, "198.51.100.9"],
  ["one proxy, IPv6", 1, (port: number) => `[2001:db8::${port}]:${port}`, "2001:db8::111"],
  [
    "a proxy with a port",
    ["10.0.0.0/8"],
    (port: number) => `192.0.2.7:${port}, 10.0.0.8:${port}`,
    "192.0.2.7",
  ],
])(
  "behind %s each port of an address counts as that address",
  async (...[, trustProxy, sent, address]) => {
    const app = await buildApp({ ...a.deps, trustProxy });
    onTestFinished(() => app.close());
    const username = `ported-${address.replaceAll(":", "-")}`;
    const seed = await newOperator(t.db, a.services.secrets, username, new Date());
    const signIn = async (port: number, password: string, code?: string) => {
      const headers = { "content-type": "application/json", "x-forwarded-for": sent(port) };
      const request = {
        method: "POST",
        url: "/oauth/login",
        headers,
        remoteAddress: "10.0.0.7",
      } as const;
      const answer = await app.inject({ ...request, payload: { username, password, code } });
      return answer.json<{ code: number }>().code;
    };
    expect(await signIn(111, PASSWORD, codeAt(seed, new Date()))).toBe(0);
    for (let port = 200; port < 210; port += 1) {
      expect(await signIn(port, "wrong password")).toBe(1001);
    }
    expect(await signIn(210, PASSWORD)).toBe(1002);
    const operator_id = await operatorId(t.db, username);
    expect(await rowsOf(t.db, "session", { operator_id })).toMatchObject([{ address }]);
    const [bound] = await auditsOf(t.db, ["address"], {
      action: "bind_authenticator",
      object_id: String(operator_id),
    });
    expect(bound).toEqual({ address });
  },
);

test("refusals are logged, but not each one of a flood", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line) => lines.push(line) });
  const told = await buildApp({ ...a.deps, log });
  onTestFinished(() => told.close());
  await Promise.all(Array.from({ length: 40 }, () => told.inject({ url: ROUNDS })));
  const line = { path: ROUNDS, status: 401, key: "signature_missing", msg: "refused" };
  expect(lines.map((one) => JSON.parse(one) as object)).toMatchObject(Array(20).fill(line));
});
