/** Large, slow and unfinished bodies of known and unknown callers, over real connections. */
import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { INGEST_BYTES_MAX } from "@red/contract/platform/limits";
import { prizeRoutes } from "@red/contract/pools/prize";
import { startBundle } from "#test/bundle-process";
import { powerlessToken } from "#test/contract-world";
import { makeFolder } from "#test/folder";
import { hold, untilWaiting } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
let base = "";

beforeAll(async () => {
  base = await a.app.listen({ port: 0, host: "127.0.0.1" });
});

type Headers = Readonly<Record<string, string>>;

/**
 * Sends a request with the given part of its body. `text` is everything that the server sends until it
 * closes the connection.
 */
function begin(url: string, headers: Headers, body: string | Buffer, to = base) {
  const socket = connect(Number(new URL(to).port), "127.0.0.1").on("error", () => {});
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${url} HTTP/1.1\r\nconnection: close\r\n${lines.join("")}\r\n`);
  socket.write(body);
  const text = new Promise<string>((resolve) => {
    const parts: Buffer[] = [];
    socket.on("data", (part: Buffer) => parts.push(part));
    socket.once("close", () => resolve(Buffer.concat(parts).toString("utf8")));
  });
  return { socket, text };
}

const PLAYERS = "/open/v1/players";
const POOL = "/gred/api/pool";
const LARGE = 65_537;
const JSON_TYPE = { "content-type": "application/json" };
const CHUNKED = { "transfer-encoding": "chunked" };
const lengthOf = (bytes: number) => ({ "content-length": String(bytes) });
const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`;

const asKey = (bytes = LARGE) => a.sign("POST", PLAYERS, " ".repeat(bytes));
const asOperator = () => ({ token: a.token });
const timeIn = (seconds: number) => ({
  "x-timestamp": String(Math.floor(Date.now() / 1_000) + seconds),
});
const nonce = (length: number) => ({ "x-nonce": "n".repeat(length) });
const asForm = () => ({ "content-type": "multipart/form-data; boundary=x" });

const STRANGERS: [string, string, () => Headers, string][] = [
  ["no signature", PLAYERS, () => ({}), '401,"code":"signature_missing"'],
  ["an unknown key", PLAYERS, () => ({ ...asKey(), "x-key": "rk_0" }), '401,"code":"key_unknown"'],
  ["an old time", PLAYERS, () => ({ ...asKey(), "x-timestamp": "1" }), '"timestamp_out_of_range"'],
  ["a time ahead", PLAYERS, () => ({ ...asKey(), ...timeIn(302) }), '"timestamp_out_of_range"'],
  [
    "a short nonce",
    PLAYERS,
    () => ({ ...asKey(), ...nonce(15) }),
    '401,"code":"signature_missing"',
  ],
  ["a long nonce", PLAYERS, () => ({ ...asKey(), ...nonce(65) }), '401,"code":"signature_missing"'],
  ["no session", POOL, () => ({}), '{"code":401,'],
  ["an unknown token", POOL, () => ({ token: "x".repeat(43) }), '{"code":401,'],
  ["a route for anybody", "/oauth/login", () => JSON_TYPE, '{"code":413,'],
  ["no such address", "/gred/api/none", () => ({}), '{"code":413,'],
];

test.each(STRANGERS)("a body over 64 kB is refused unread: %s", async (_, url, headersOf, code) => {
  const atOnce = begin(url, { ...headersOf(), ...lengthOf(INGEST_BYTES_MAX) }, "");
  expect(await atOnce.text).toContain(code);
  const cut = begin(url, { ...headersOf(), ...CHUNKED }, `${chunk(LARGE)}0\r\n\r\n`);
  expect(await cut.text).toContain(code);
});

test("a body of 64 kB is read from anybody", async () => {
  const { text } = begin("/oauth/login", { ...JSON_TYPE, ...lengthOf(65_536) }, " ".repeat(65_536));
  expect(await text).toContain("Please enter username");
});

test.each([
  ["a key", PLAYERS, asKey, '"players"'],
  ["an operator", POOL, asOperator, '"pool_name"'],
] as const)("one over 64 kB of unknown length is read of %s", async (_, url, headersOf, answer) => {
  // The body counts once, even if it arrives in many parts.
  const body = `${chunk(LARGE - 10)}${chunk(10)}${chunk(65_536).repeat(8)}0\r\n\r\n`;
  const beginOne = (part: string) =>
    begin(url, { ...headersOf(LARGE + 8 * 65_536), ...CHUNKED }, part);
  expect(await beginOne(body).text).toContain(answer);
  // Small bodies do not count.
  for (let count = 0; count < 4; count += 1) {
    const isSeen = once(a.app.server, "request");
    const { socket } = beginOne(chunk(10));
    onTestFinished(() => void socket.destroy());
    await isSeen;
  }
  expect(await beginOne(body).text).toContain(answer);
});

const FORM_MAX = 1_048_576 + 131_072;
test.each<[string, string, (bytes: number) => Headers, number, string]>([
  ["a key", PLAYERS, asKey, INGEST_BYTES_MAX, "body_too_large"],
  ["an operator", POOL, asOperator, INGEST_BYTES_MAX, "body_too_large"],
  ["a form", prizeRoutes.importFile.path, asForm, FORM_MAX, "upload_too_large"],
])("one of %s that is too large by a byte gets that as its answer", async (...given) => {
  const [, url, headersOf, max, answer] = given;
  const answerTo = async (bytes: number, isDeclared: boolean) => {
    const headers = { ...headersOf(bytes), ...(isDeclared ? lengthOf(bytes) : CHUNKED) };
    const body = isDeclared ? " ".repeat(bytes) : `${chunk(bytes)}0\r\n\r\n`;
    return await begin(url, headers, body).text;
  };
  expect(await answerTo(max, true)).not.toContain(answer);
  expect(await answerTo(max + 1, true)).toContain(answer);
  // Rejected bodies do not count as unfinished, although the server never reads the rest.
  for (let count = 0; count < 5; count += 1) {
    const headers = { ...headersOf(max), ...lengthOf(17 * 1_048_576) };
    expect(await begin(url, headers, " ").text).toContain(answer);
  }
  if (url !== prizeRoutes.importFile.path) {
    expect(await answerTo(max, false)).not.toContain(answer);
    expect(await answerTo(max + 1, false)).toContain(answer);
  }
});

test("a form whose head names nobody, or one who may not send it, is not read", async () => {
  const url = prizeRoutes.importFile.path;
  const answerTo = async (token: string) =>
    await begin(url, { ...asForm(), ...lengthOf(1_000), token }, " ").text;
  const powerless = await powerlessToken(t.db);
  const answers = await Promise.all(["x".repeat(43), powerless].map(answerTo));
  expect(answers).toEqual(
    ["token_unknown", "not_permitted"].map((key) => expect.stringContaining(`"key":"${key}"`)),
  );
});

test.each([
  ["a key", PLAYERS, asKey, POOL, asOperator],
  ["an operator", POOL, asOperator, PLAYERS, asKey],
  ["all forms that hold their token", prizeRoutes.importFile.path, asForm, POOL, asOperator],
])("%s may have four under way", async (_, url, headersOf, othersUrl, othersOf) => {
  const whole = async (to: string, headers: Headers) =>
    await begin(to, { ...headers, ...lengthOf(LARGE) }, " ".repeat(LARGE)).text;
  const another = async () => await whole(url, headersOf());
  const open: Socket[] = [];
  /** Opens a connection again after another connection took its place. */
  const keepOpen = (headers: Headers, body: string) => {
    const { socket, text } = begin(url, { ...headersOf(), ...headers }, body);
    open.push(socket);
    void text.then((answer) => answer.includes(" 429 ") && keepOpen(headers, body));
  };
  for (let count = 0; count < 3; count += 1) {
    keepOpen(lengthOf(LARGE), " ");
  }
  await expect.poll(another, { timeout: 5_000 }).not.toContain(" 429 ");
  // A form counts as soon as its headers arrive, even if its length is unknown.
  if (url === prizeRoutes.importFile.path) {
    keepOpen(CHUNKED, chunk(1));
  } else {
    keepOpen(lengthOf(LARGE), " ");
  }
  await expect.poll(another, { timeout: 5_000 }).toMatch(/^HTTP\/1.1 429 [^]*retry-after: 1\r/);
  expect(await another()).toContain(" 429 ");
  expect(await whole(othersUrl, othersOf())).not.toContain(" 429 ");
  for (const socket of open) {
    socket.destroy();
  }
  await expect.poll(another, { timeout: 5_000 }).not.toContain(" 429 ");
});

test("one that is read is no longer under way, even while its answer waits", async () => {
  const held = await hold(t.db, (tx) => sql`lock table pool`.execute(tx));
  const headers = { ...asOperator(), ...lengthOf(LARGE) };
  const calls = ["a", "b", "c", "d"].map((pool_name) =>
    begin(POOL, headers, JSON.stringify({ pool_name }).padEnd(LARGE)),
  );
  onTestFinished(async () => {
    await held.commit();
    await Promise.all(calls.map(({ text }) => text));
  });
  await untilWaiting(t.db, calls.length);
  expect(await begin(POOL, headers, " ".repeat(LARGE)).text).toContain('"pool_name"');
});

test("a slow request and a silent connection are cut off in time", async () => {
  const { server } = a.app;
  const { headersTimeout, requestTimeout, maxConnections } = server;
  expect([headersTimeout, requestTimeout, maxConnections]).toEqual([10_000, 25_000, 4_096]);
  Object.assign(server, { headersTimeout: 300, requestTimeout: 600 });
  const slow = begin("/oauth/login", { ...JSON_TYPE, ...lengthOf(1_000) }, "");
  const drip = setInterval(() => slow.socket.write("x"), 50);
  const silent = connect(Number(new URL(base).port), "127.0.0.1");
  const closed = new Promise((resolve) => silent.resume().once("close", resolve));
  expect(await slow.text).toMatch(/^HTTP\/1.1 408 /);
  await closed;
  clearInterval(drip);
  Object.assign(server, { headersTimeout, requestTimeout });
});

test("idle connections make room for new ones", async () => {
  const { server } = a.app;
  const { maxConnections } = server;
  server.maxConnections = 3;
  const idle = [1, 2, 3].map(() => connect(Number(new URL(base).port), "127.0.0.1"));
  for (const socket of idle) {
    socket.on("error", () => {}).write("GET /healthz HTTP/1.1\r\n\r\n");
    await once(socket, "data");
  }
  const call = async () => await begin("/oauth/login", { ...JSON_TYPE, ...lengthOf(2) }, "{}").text;
  await call();
  expect(await call()).toContain("Please enter username");
  server.maxConnections = maxConnections;
});

test("a hundred strangers that each send 4 MiB less a byte cost no memory and are cut off", async () => {
  const server = await startBundle(t.connection, makeFolder());
  try {
    /* Maximum memory in megabytes that a hundred calls take. */
    const cost = async (headers: Headers, body: string) => {
      const before = server.memory();
      server.forgetPeak();
      const calls = Array.from({ length: 100 }, () => begin(PLAYERS, headers, body, server.url));
      await Promise.all(calls.map(({ text }) => text));
      return server.peak() - before;
    };
    const body = " ".repeat(INGEST_BYTES_MAX - 1);
    // This case must run first, while the process has no spare memory: the server reads 64 kB of each body
    // before it rejects the body.
    expect(await cost(CHUNKED, `400000\r\n${body}`)).toBeLessThan(30);
    expect(await cost(lengthOf(INGEST_BYTES_MAX), body)).toBeLessThan(30);
  } finally {
    await server.stop();
  }
});
