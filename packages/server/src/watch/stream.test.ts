/** The stream over HTTP: one reader for all who listen, ended with the session. */
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { STREAM_END, watchRoutes } from "@red/contract/watch";
import { openEventStreams } from "#platform/event-stream";
import { buildApp } from "#app";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { until } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb, watched } from "#test/test-db";
import fastify from "fastify";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
let app: FastifyInstance | null = null;
let base = "";
let topic = "";
/** Readings of a topic: each asks for the database's day. */
let readings = 0;

beforeAll(async () => {
  const { db } = watched(t, ([row = {}]) => (readings += "day" in row ? 1 : 0));
  app = await buildApp({ ...a.deps, watchDb: db });
  base = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  // An aborted fetch leaves a connection without a request, which is not idle to the server.
  app?.server.closeAllConnections();
  await app?.close();
});

async function listen(topics: string) {
  const gone = new AbortController();
  const events: [event: string, data: unknown][] = [];
  const url = `${base}${watchRoutes.stream.path}?topics=${topics}`;
  const answer = await fetch(url, { headers: { token: a.token }, signal: gone.signal });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const listening = { events, isOver: false, leave: () => gone.abort() };
  const take = async () => {
    let text = "";
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part as Uint8Array).toString();
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const [, event, data = ""] = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        events.push(
          ...(event === undefined ? [] : [[event, JSON.parse(data)] as [string, object]]),
        );
        text = text.slice(end + 2);
      }
    }
  };
  void take().then(
    () => (listening.isOver = true),
    () => null,
  );
  return listening;
}

test("sends at once, then each change within two seconds and nothing else; again after a break", async () => {
  const round = await makeRound(t.db);
  topic = `board:${round.rounds_id}`;
  const first = await listen(`overview,${topic}`);
  await until("both sent", async () => first.events.length === 2);
  await sleep(2_200);
  expect(first.events.map(([event]) => event).toSorted()).toEqual([topic, "overview"]);
  await makeRecords(t.db, round, await makePlayer(t.db), [{}]);
  const drawn_at = performance.now();
  await until("changed", async () => first.events.length === 4);
  expect(performance.now() - drawn_at).toBeLessThan(2_000);
  const drawn = { count: 1, amount: "8.88" };
  expect(first.events).toContainEqual([topic, expect.objectContaining({ drawn })]);
  first.leave();
  const again = await listen(topic);
  await until("sent again", async () => again.events.length === 1);
  again.leave();
});

test("twenty who listen cost what one costs, and nobody costs nothing", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => listen(topic)));
  await until("all sent", async () => all.every(({ events }) => events.length > 0));
  readings = 0;
  await sleep(3_000);
  expect(readings).toBeGreaterThanOrEqual(2);
  expect(readings).toBeLessThanOrEqual(4);
  all.forEach((one) => one.leave());
  await sleep(1_500);
  readings = 0;
  await sleep(1_500);
  expect(readings).toBe(0);
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
  expect(stream.events.at(-1)).toEqual([STREAM_END, expect.objectContaining({ key, data: null })]);
});

test("drops who reads nothing, and ends the others when the server stops", async () => {
  const streams = openEventStreams(200);
  const server = fastify();
  const big = JSON.stringify("x".repeat(1_000_000));
  server.get("/", async (_request, reply) => {
    const source = ({ send }: { send(event: string, json: string): void }) => {
      const timer = setInterval(() => send("big", big), 5);
      return () => clearInterval(timer);
    };
    return streams.send(reply, "en", source, async () => null);
  });
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const deaf = connect(port, "127.0.0.1", () => deaf.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
  deaf.pause().on("error", () => {});
  await until("open", async () => streams.open() === 1);
  await until("dropped", async () => streams.open() === 0);
  deaf.destroy();
  const reading = fetch(`http://127.0.0.1:${port}/`).then((heard) => heard.arrayBuffer());
  await until("open", async () => streams.open() === 1);
  streams.close();
  await reading;
  await server.close();
});
