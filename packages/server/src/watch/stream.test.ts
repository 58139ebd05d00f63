/** The stream over HTTP: one reader for all who listen, ended with the session. */
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Board } from "@red/contract/watch";
import { STREAM_END, watchRoutes } from "@red/contract/watch";
import { tokenHash } from "#identity/operator-auth";
import { insertSession } from "#identity/session-sql";
import { inTransaction } from "#platform/connection";
import { openEventStreams } from "#platform/event-stream";
import { buildApp } from "#app";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadeRound } from "#test/factories";
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
let round: MadeRound | null = null;
/** Readings of a topic: each asks for the database's time first. */
let readings = 0;

beforeAll(async () => {
  const isReading = (rows: readonly object[]) => rows.length === 1 && "now" in (rows[0] ?? {});
  const counted = watched(t, (rows) => (readings += isReading(rows) ? 1 : 0));
  app = await buildApp({ ...a.deps, watchDb: counted.db });
  base = await app.listen({ port: 0, host: "127.0.0.1" });
  round = await makeRound(t.db);
});
afterAll(async () => {
  // An aborted fetch leaves a connection without a request, which is not idle to the server.
  app?.server.closeAllConnections();
  await app?.close();
});

const topic = () => `board:${round?.rounds_id}`;
const drawInto = async () =>
  round && (await makeRecords(t.db, round, await makePlayer(t.db), [{ state: "queued" }]));

interface Listening {
  /** Data by event, as they came. */
  readonly events: (readonly [event: string, data: unknown])[];
  isOver: boolean;
  leave(): void;
}

async function listen(topics: string, token = a.token): Promise<Listening> {
  const gone = new AbortController();
  const url = `${base}${watchRoutes.stream.path}?topics=${topics}`;
  const answer = await fetch(url, { headers: { token }, signal: gone.signal });
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  expect(answer.headers.get("content-encoding")).toBeNull();
  const listening: Listening = { events: [], isOver: false, leave: () => gone.abort() };
  const take = async () => {
    let text = "";
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part as Uint8Array).toString();
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/.exec(message) ?? [];
        if (event !== "") {
          listening.events.push([event, JSON.parse(data)]);
        }
      }
    }
  };
  void take()
    .catch(() => {})
    .finally(() => (listening.isOver = true));
  return listening;
}

async function newOperator(name: string): Promise<{ token: string; id: number }> {
  const token = randomBytes(32).toString("base64url");
  const { id } = await t.db
    .insertInto("operator")
    .values({ name, password_hash: "never used here", bind_until: new Date() })
    .returning("id")
    .executeTakeFirstOrThrow();
  const session = { token_hash: tokenHash(token), operator_id: id };
  await inTransaction(t.db, (tx) => insertSession(tx, session));
  return { token, id };
}

test("sends at once, then each change within two seconds and nothing else; again when it comes back", async () => {
  const first = await listen(`overview,${topic()}`);
  await until("both sent", async () => first.events.length === 2);
  await sleep(2_200);
  expect(first.events.map(([event]) => event).toSorted()).toEqual([topic(), "overview"]);
  await drawInto();
  const drawn_at = performance.now();
  await until("changed", async () => first.events.length === 4);
  expect(performance.now() - drawn_at).toBeLessThan(2_000);
  const last = first.events.findLast(([event]) => event === topic())?.[1] as Board;
  expect(last.drawn).toEqual({ count: 1, amount: "8.88" });
  first.leave();
  const again = await listen(topic());
  await until("sent again", async () => again.events.length === 1);
  again.leave();
});

test.each([
  ["session", "token_unknown", sql`delete from session where operator_id = `],
  ["permission", "not_permitted", sql`update operator set roles = '{}' where id = `],
])("ends with the %s, and keeps no session alive", async (what, key, end) => {
  const { token, id } = await newOperator(`watcher-of-${what}`);
  const seen = sql<{ seen_at: Date }>`select seen_at from session where operator_id = ${id}`;
  await sql`update session set seen_at = now() - interval '10 minutes' where operator_id = ${id}`.execute(
    t.db,
  );
  const before = (await seen.execute(t.db)).rows;
  const stream = await listen("overview", token);
  await until("sent", async () => stream.events.length === 1);
  await sleep(2_200);
  expect((await seen.execute(t.db)).rows).toEqual(before);
  await sql`${end}${id}`.execute(t.db);
  await until("over", async () => stream.isOver);
  expect(stream.events.at(-1)).toEqual([STREAM_END, expect.objectContaining({ key, data: null })]);
});

test("twenty who listen cost what one costs, and nobody costs nothing", async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => listen(topic())));
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

test("refuses a topic that is none", async () => {
  const url = `${base}${watchRoutes.stream.path}?topics=overview,board:0`;
  const answer = await fetch(url, { headers: { token: a.token } });
  expect(await answer.json()).toMatchObject({ key: "bad_input" });
});

test("drops who reads nothing, and ends the others when the server stops", async () => {
  const streams = openEventStreams(200);
  const server = fastify();
  const big = JSON.stringify("x".repeat(1_000_000));
  server.get("/", async (request, reply) =>
    streams.send({
      request,
      reply,
      language: "en",
      check: async () => null,
      source: ({ send }) => {
        const timer = setInterval(() => send("big", big), 5);
        return () => clearInterval(timer);
      },
    }),
  );
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const deaf = connect(port, "127.0.0.1", () => deaf.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n"));
  deaf.pause();
  deaf.on("error", () => {});
  await until("open", async () => streams.open() === 1);
  await until("dropped", async () => streams.open() === 0);
  deaf.destroy();
  const heard = await fetch(`http://127.0.0.1:${port}/`);
  const reading = heard.arrayBuffer();
  await sleep(100);
  expect(streams.open()).toBe(1);
  streams.close();
  expect((await reading).byteLength).toBeGreaterThan(1_000_000);
  await server.close();
});
