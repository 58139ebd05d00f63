/** Errors that occur before fastify sees a request have the usual form. The tests use a real connection. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { INGEST_BYTES_MAX } from "@red/contract/platform/limits";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, describe, expect, test } from "vitest";

const a = useTestApp(useTestDb());
let base = "";

beforeAll(async () => {
  base = await a.app.listen({ port: 0, host: "127.0.0.1" });
});

/** Writes the texts with pauses in between, and reads until the server closes the connection. */
async function raw(...texts: string[]): Promise<{ head: string; body: unknown }> {
  const socket = connect(Number(new URL(base).port), "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  const [first = "", ...rest] = texts;
  socket.write(first);
  for (const text of rest) {
    // Waits longer than the server needs to respond and close the connection.
    await setTimeout(300);
    socket.write(text);
  }
  await once(socket, "close");
  const [head = "", body = ""] = Buffer.concat(parts).toString("utf8").split("\r\n\r\n");
  return { head, body: JSON.parse(body) as unknown };
}

const LONG = "x".repeat(20_000);

describe("a broken request", () => {
  test("is refused in an envelope", async () => {
    const { head, body } = await raw("GET /gred/api/act/list HTTP/1.1\r\nno header\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/json;/);
    expect(head).toMatch(
      /\r\ncache-control: no-store\r\n.*\r\nx-content-type-options: nosniff\r\n/,
    );
    expect(body).toEqual({
      code: 400,
      msg: "请求不是有效的 HTTP",
      data: null,
      key: "request_unreadable",
    });
  });

  test("is refused in a problem document where platforms call", async () => {
    const { head, body } = await raw("GET /open/v1/rounds HTTP/1.1\r\nno header\r\n\r\n");
    expect(head).toContain("content-type: application/problem+json;");
    expect(body).toMatchObject({ status: 400, code: "request_unreadable" });
  });

  test("may send its body too late", async () => {
    const { server } = a.app;
    const { headersTimeout, requestTimeout } = server;
    Object.assign(server, { headersTimeout: 300, requestTimeout: 300 });
    const { body } = await raw("POST /open/v1/draws HTTP/1.1\r\ncontent-length: 9\r\n\r\n");
    Object.assign(server, { headersTimeout, requestTimeout });
    expect(body).toMatchObject({ status: 408, code: "request_timeout" });
  });

  test("may have too long an address", async () => {
    const { head, body } = await raw(
      `GET /gred/api/act/list?x=${LONG} HTTP/1.1\r\nhost: x\r\n\r\n`,
    );
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
    expect(body).toEqual({
      code: 431,
      msg: "请求地址和请求头过长",
      data: null,
      key: "head_too_large",
    });
  });
});

describe("an odd but valid request", () => {
  test("may lack a host", async () => {
    const { head, body } = await raw(
      "GET /gred/api/act/list HTTP/1.1\r\nconnection: close\r\n\r\n",
    );
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(body).toMatchObject({ code: 401, msg: "请先登录" });
  });

  test.each(["", "x", "json", "a b c;;"])("may call its body %j", async (type) => {
    const head = `POST /gred/api/pool HTTP/1.1\r\nconnection: close\r\ntoken: ${a.token}\r\n`;
    const { body } = await raw(
      `${head}host: x\r\ncontent-type: ${type}\r\ncontent-length: 2\r\n\r\n{}`,
    );
    expect(body).toMatchObject({ data: { errors: [{ field: "pool_name" }] } });
  });
});

test("a body in another encoding is refused: different ids would become one", async () => {
  const answer = await fetch(`${base}/oauth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.from([...Buffer.from('{"username":"'), 0xd5, 0xc5, ...Buffer.from('"}')]),
  });
  expect(await answer.json()).toMatchObject({ code: 400, msg: "请求内容不是 UTF-8 编码" });
});

describe("a body that is too large", () => {
  test("is refused by an answer, not by a broken connection while it is sent", async () => {
    const bytes = INGEST_BYTES_MAX + 1;
    const known = Object.entries(a.sign("POST", "/open/v1/players", ""));
    const head = [
      "POST /open/v1/players HTTP/1.1",
      "connection: close",
      `content-length: ${bytes}`,
      ...known.map(([name, value]) => `${name}: ${value}`),
    ];
    const begun = `${head.join("\r\n")}\r\n\r\n${"x".repeat(1000)}`;
    expect((await raw(begun, "x".repeat(bytes - 1000))).head).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("is refused even without a declared length", async () => {
    async function* parts() {
      for (let sent = 0; sent <= INGEST_BYTES_MAX; sent += 65_536) {
        yield Buffer.alloc(65_536, "x");
      }
    }
    const answer = await fetch(`${base}/open/v1/players`, {
      method: "POST",
      headers: a.sign("POST", "/open/v1/players", ""),
      body: ReadableStream.from(parts()),
      // fetch requires `duplex` for a stream.
      duplex: "half",
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "body_too_large" });
  });
});
