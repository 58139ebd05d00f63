/** The stream over HTTP: all listeners of a topic share one reader, and the stream ends with the session. */
import { setTimeout as sleep } from "node:timers/promises";
import { STREAM_END, watchRoutes } from "@red/contract/watch/watch";
import { buildApp } from "#app";
import { STREAMS_OF_OPERATOR_MAX, STREAMS_OF_SESSION_MAX } from "#platform/http/event-stream";
import { openSession } from "#test/contract-world";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { until } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb, watched } from "#test/test-db";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
let app: FastifyInstance | null = null;
let [base, topic] = ["", ""];
/** Number of topic readings. Each reading asks the database for the current day. */
let readings = 0;
/** Number of queries for sessions. */
let checks = 0;

beforeAll(async () => {
  const { db } = watched(t, ([row = {}]) => {
    readings += "day" in row ? 1 : 0;
    checks += "token_hash" in row ? 1 : 0;
  });
  app = await buildApp({ ...a.deps, db, readDb: db });
  base = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  // An aborted fetch leaves a connection without a request, and the server does not treat that connection as idle.
  app?.server.closeAllConnections();
  await app?.close();
});

async function ask(topics: string, token = a.token) {
  const gone = new AbortController();
  const url = `${base}${watchRoutes.stream.path}?topics=${topics}`;
  const answer = await fetch(url, { headers: { token }, signal: gone.signal });
  const isOpen = answer.headers.get("content-type") === "text/event-stream";
  return { answer, isOpen, leave: () => gone.abort() };
}

async function listen(topics: string, token = a.token) {
  const { answer, isOpen, leave } = await ask(topics, token);
  expect(isOpen).toBe(true);
  const listening = { text: "", isOver: false, leave };
  const take = async () => {
    for await (const part of answer.body ?? []) {
      listening.text += Buffer.from(part as Uint8Array).toString();
    }
    listening.isOver = true;
  };
  take().catch(() => {});
  return listening;
}

const count = ({ text }: { readonly text: string }) =>
  text.match(/^event: .*\ndata: .*\n\n/gm)?.length;

test("sends at once, then each change within two seconds and nothing else; again after a break", async () => {
  const round = await makeRound(t.db);
  topic = `board:${round.rounds_id}`;
  // The start of a new minute would be a change too.
  await until("far from the next minute", async () => Date.now() % 60_000 < 50_000, 15_000);
  const first = await listen(`overview,${topic}`);
  await until("both sent", async () => count(first) === 2);
  await sleep(2_200);
  expect(count(first)).toBe(2);
  await makeRecords(t.db, round, await makePlayer(t.db), [{}]);
  const drawn_at = performance.now();
  await until("changed", async () => count(first) === 4);
  expect(performance.now() - drawn_at).toBeLessThan(2_000);
  expect(first.text).toMatch(new RegExp(`event: ${topic}\n.*"drawn":{"count":1,"amount":"8.88"}`));
  first.leave();
  const again = await listen(topic);
  await until("sent again", async () => count(again) === 1);
  again.leave();
});

test("fifteen listeners cost as much as one, and no listener costs nothing", async () => {
  const tokens = await Promise.all([1, 2, 3].map(() => openSession(t.db, "root-op")));
  const wanted = tokens.flatMap((token) => Array.from({ length: 5 }, () => listen(topic, token)));
  const all = await Promise.all(wanted);
  await until("all sent", async () => all.every(count));
  readings = 0;
  await sleep(3_000);
  expect([2, 3, 4]).toContain(readings);
  all.forEach((one) => one.leave());
  await sleep(1_500);
  const before = readings;
  await sleep(1_500);
  expect(readings).toBe(before);
});

test("a few streams for each session and operator, all sessions checked by one query", async () => {
  const open: Awaited<ReturnType<typeof ask>>[] = [];
  const refused: (typeof open)[] = [];
  const tokens = await Promise.all([1, 2, 3, 4].map(() => openSession(t.db, "root-op")));
  for (const token of tokens) {
    const wanted = Array.from({ length: STREAMS_OF_SESSION_MAX + 1 }, () => ask("overview", token));
    const asked = await Promise.all(wanted);
    open.push(...asked.filter(({ isOpen }) => isOpen));
    refused.push(asked.filter(({ isOpen }) => !isOpen));
  }
  expect(refused.map(({ length }) => length)).toEqual([1, 1, 1, STREAMS_OF_SESSION_MAX + 1]);
  expect(open.length).toBe(STREAMS_OF_OPERATOR_MAX);
  expect(await refused[0]?.[0]?.answer.json()).toMatchObject({ key: "streams_many" });
  checks = 0;
  const flood = await Promise.all(Array.from({ length: 40 }, () => ask("overview", tokens[0])));
  expect(flood.filter(({ isOpen }) => isOpen)).toEqual([]);
  // One query is allowed: the session check of all listeners may fall into this time.
  expect(checks).toBeLessThan(2);
  checks = 0;
  await sleep(4_300);
  expect(checks).toBe(2);
  open.forEach(({ leave }) => leave());
  const again = async () => {
    const { isOpen, leave } = await ask("overview");
    leave();
    return isOpen;
  };
  await until("free again", again);
});

test("parallel openings of a topic share one reading; a live topic is not read again", async () => {
  const round = await makeRound(t.db);
  const own = `board:${round.rounds_id}`;
  readings = 0;
  const from = performance.now();
  const all = await Promise.all(Array.from({ length: 4 }, () => listen(own)));
  await until("all sent", async () => all.every(count));
  // The topic is read once a second, even if a busy machine needs longer to send.
  expect(readings).toBeLessThanOrEqual(2 + (performance.now() - from) / 1_000);
  all.forEach((one) => one.leave());
});

test.each([
  ["permission", "not_permitted", sql`update operator set roles = '{}'`],
  ["session", "session_expired", sql`update session set seen_at = now() - interval '61 minutes'`],
])("keeps no session alive, and ends with the %s", async (_, key, end) => {
  await sql`update operator set roles = '{admin}'`.execute(t.db);
  const young = sql`select from session where seen_at > now() - interval '9 minutes'`;
  await sql`update session set seen_at = now() - interval '10 minutes'`.execute(t.db);
  const stream = await listen("overview");
  await sleep(2_200);
  expect((await young.execute(t.db)).rows).toEqual([]);
  await end.execute(t.db);
  await until("over", async () => stream.isOver);
  expect(stream.text).toMatch(new RegExp(`event: ${STREAM_END}\ndata: .*"key":"${key}"}\n\n$`));
});
