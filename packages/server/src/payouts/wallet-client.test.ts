import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { PayoutCall } from "@red/contract/payouts/payout";
import { walletClient } from "./wallet-client.ts";
import { describe, expect, it, onTestFinished } from "vitest";

const CALL: PayoutCall = {
  trans_sn: "t-1",
  player_id: "p1",
  user_name: "玩家01",
  amount: "8.88",
  turnover: 3,
  red_code: "RED_PACKET",
  rounds_id: 41,
  created_at: "2026-11-20T20:00:01.123+08:00",
};
const WORD = { status: "paid", trans_sn: "t-1", amount: "8.88", wallet_ref: "W1" };
/** Deadline of calls that are answered. It is long enough for a busy machine. */
const DEADLINE_MS = 60_000;
/** Deadline of calls that are not answered. */
const SHORT_DEADLINE_MS = 300;
const GO_ON = new AbortController().signal;

/** Pause between two bytes of a slow response. */
const DRIP_MS = 200;

interface Raw {
  readonly head: string;
  readonly body: string;
}

/** Starts a raw server. `answer` gets each request and its connection. */
async function startPeer(answer: (socket: Socket, raw: Raw) => void) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let text = "";
    socket.on("error", () => {});
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const [head = "", body] = text.split("\r\n\r\n", 2);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? "0");
      if (body !== undefined && Buffer.byteLength(body) >= length) {
        text = "";
        answer(socket, { head, body });
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/base`, connections: () => connections };
}

function http(status: string, body: string, headers: readonly string[] = []): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status}`, length, ...headers, "", body].join("\r\n");
}

const ok = (word: object) => http("200 OK", JSON.stringify(word));
const HALF = ok(WORD).slice(0, -5);

function client(url: string, deadlineMs = DEADLINE_MS) {
  const made = walletClient({ url, key: "wk_1", secret: "s3cret" }, deadlineMs);
  onTestFinished(() => made.close());
  return made;
}

async function payTo(answer: Parameters<typeof startPeer>[0], deadlineMs = DEADLINE_MS) {
  const peer = await startPeer(answer);
  return await client(peer.url, deadlineMs).pay(CALL, GO_ON);
}

const payAnswered = (bytes: string, deadlineMs?: number) =>
  payTo((socket) => socket.write(bytes), deadlineMs);

const unclear = (why: string) => ({ kind: "unclear", why });

describe("what is sent", () => {
  it("is signed as documented, with the number as idempotency key", async () => {
    const seen: Raw[] = [];
    const peer = await startPeer((socket, raw) => {
      seen.push(raw);
      socket.write(ok(WORD));
    });
    const wallet = client(peer.url);
    await wallet.pay(CALL, GO_ON);
    await wallet.ask({ ...CALL, trans_sn: "a/b" }, GO_ON);
    const [pay, ask] = seen.map(({ head, body }) => {
      const [line = "", ...headers] = head.split("\r\n");
      const named = new Map(
        headers.map((header): [string, string] => {
          const at = header.indexOf(": ");
          return [header.slice(0, at).toLowerCase(), header.slice(at + 2)];
        }),
      );
      const [method = "", path = ""] = line.split(" ");
      const hash = createHash("sha256").update(body).digest("hex");
      const text = `${named.get("x-timestamp")}.${named.get("x-nonce")}.${method}.${path}.${hash}`;
      const expected = createHmac("sha256", "s3cret").update(text).digest("hex");
      expect(named.get("x-signature")).toBe(expected);
      expect(named.get("x-key")).toBe("wk_1");
      return { line, body, named };
    });
    expect(pay?.line).toBe("POST /base/payouts HTTP/1.1");
    expect(JSON.parse(pay?.body ?? "")).toEqual(CALL);
    expect(pay?.named.get("idempotency-key")).toBe("t-1");
    expect(pay?.named.get("content-type")).toBe("application/json");
    expect(ask?.named.get("accept")).toBe("application/json");
    const age = Date.now() / 1_000 - Number(pay?.named.get("x-timestamp"));
    expect(Math.abs(age)).toBeLessThan(60);
    expect(ask?.line).toBe("GET /base/payouts/a%2Fb HTTP/1.1");
    expect(ask?.body).toBe("");
    expect(pay?.named.get("x-nonce")).not.toBe(ask?.named.get("x-nonce"));
    expect(peer.connections()).toBe(1);
  });

  it("needs a key that is a valid header value", () => {
    expect(() =>
      walletClient({ url: "http://127.0.0.1:1", key: "two\nlines", secret: "s" }, 1),
    ).toThrow(/x-key/);
  });
});

describe("a result", () => {
  it.each([
    ["paid", WORD, { kind: "paid", wallet_ref: "W1" }],
    ["paid without a reference", { ...WORD, wallet_ref: null }, { kind: "paid", wallet_ref: null }],
    [
      "refused",
      { status: "refused", trans_sn: "t-1", amount: "8.88", reason: "frozen\u0000\n" },
      { kind: "refused", reason: "frozen" },
    ],
    ["processing", { ...WORD, status: "processing" }, { kind: "processing" }],
  ])("%s", async (_name, sent, word) => {
    expect(await payAnswered(ok(sent))).toMatchObject({ word, http_status: 200 });
  });

  it("may be as long as 64 KiB, of which 2,000 characters are kept", async () => {
    const long = JSON.stringify({
      ...WORD,
      x: "y".repeat(65_536 - JSON.stringify(WORD).length - 7),
    });
    const { word, answer } = await payAnswered(http("200 OK", long));
    expect([long.length, word.kind, answer]).toEqual([65_536, "paid", long.slice(0, 2_000)]);
  });

  it("is a 404 only for a query", async () => {
    const peer = await startPeer((socket) => socket.write(http("404 Not Found", "{}")));
    const wallet = client(peer.url);
    expect((await wallet.ask(CALL, GO_ON)).word).toEqual({ kind: "never_seen" });
    expect((await wallet.pay(CALL, GO_ON)).word).toEqual(unclear("status 404"));
  });
});

const TEXT = JSON.stringify(WORD);

describe("no result", () => {
  it.each([
    ["another number", ok({ ...WORD, trans_sn: "t-2" }), "wrong trans_sn"],
    ["another amount", ok({ ...WORD, amount: "8.89" }), "wrong amount"],
    ["no amount at all", ok({ ...WORD, amount: "lots" }), "wrong amount"],
    ["an amount that is no text", ok({ ...WORD, amount: 8.88 }), "no word"],
    [
      "a refusal of another amount",
      ok({ ...WORD, status: "refused", amount: "1.00" }),
      "wrong amount",
    ],
    ["an unknown status", ok({ ...WORD, status: "PAID" }), "no word"],
    ["a business error", ok({ code: 10_500, msg: "system busy" }), "no word"],
    ["null", http("200 OK", "null"), "no word"],
    ["HTML", http("200 OK", "<html>sign in</html>"), "not json"],
    ["cut JSON", http("200 OK", JSON.stringify(WORD).slice(0, -3)), "not json"],
    ["nothing", http("200 OK", ""), "not json"],
    ["201", http("201 Created", JSON.stringify(WORD)), "status 201"],
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", "status 204"],
    ["400", http("400 Bad Request", JSON.stringify({ ...WORD, status: "refused" })), "status 400"],
    ["429", http("429 Too Many Requests", "{}", ["retry-after: 21600"]), "status 429"],
    ["401", http("401 Unauthorized", JSON.stringify(WORD)), "status 401"],
    ["409", http("409 Conflict", JSON.stringify(WORD)), "status 409"],
    ["500", http("500 Internal Server Error", JSON.stringify(WORD)), "status 500"],
    ["a second 200 inside a 500", http("500 Oops", ok(WORD)), "status 500"],
    ["something else than HTTP", "paid\r\n\r\n", "connection HPE_INVALID_CONSTANT"],
    ["too much", http("200 OK", `${" ".repeat(65_537 - TEXT.length)}${TEXT}`), "too long"],
    [
      "a body that never ends",
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${`fff\r\n${"z".repeat(4095)}\r\n`.repeat(20)}`,
      "too long",
    ],
  ])("%s", async (_name, bytes, why) => {
    expect((await payAnswered(bytes)).word).toEqual(unclear(why));
  });

  it.each([
    ["half a body, then silence", HALF],
    ["silence", ""],
  ])("%s", async (_name, bytes) => {
    expect((await payAnswered(bytes, SHORT_DEADLINE_MS)).word).toEqual(unclear("timeout"));
  });

  it("a body that is cut off, or a connection that is", async () => {
    const cut = await payTo((socket) => socket.end(HALF));
    expect(cut.word).toEqual(unclear("connection ECONNRESET"));
    const gone = await payTo((socket) => socket.destroy());
    expect(gone.word).toMatchObject({ kind: "unclear" });
  });

  it("an answer that drips, one byte at a time, past the deadline", async () => {
    const text = ok(WORD);
    const { word, duration_ms } = await payTo((socket) => {
      let at = 0;
      const drip = setInterval(() => socket.write(text.charAt(at++) || " "), DRIP_MS);
      socket.on("close", () => clearInterval(drip));
    }, SHORT_DEADLINE_MS);
    expect(word).toEqual(unclear("timeout"));
    expect(duration_ms).toBeGreaterThanOrEqual(SHORT_DEADLINE_MS - 5);
    // The call ended before the whole response could arrive, so the call was aborted.
    expect(duration_ms).toBeLessThan(text.length * DRIP_MS);
  });

  it("a redirect, which is never followed", async () => {
    const elsewhere = await startPeer((socket) => socket.write(ok(WORD)));
    for (const status of ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"]) {
      const answer = await payAnswered(http(status, "", [`location: ${elsewhere.url}`]));
      expect(answer.word).toEqual(unclear(`status ${status.slice(0, 3)}`));
    }
    expect(elsewhere.connections()).toBe(0);
  });

  it("a compressed answer, which was not requested", async () => {
    const zipped = gzipSync(JSON.stringify(WORD));
    const { word } = await payTo((socket, { head }) => {
      expect(head).not.toMatch(/accept-encoding/i);
      const headers = ["HTTP/1.1 200 OK", "content-encoding: gzip"];
      socket.write([...headers, `content-length: ${zipped.length}`, "", ""].join("\r\n"));
      socket.write(zipped);
    });
    expect(word).toEqual(unclear("not json"));
  });

  it("no server, a name that does not resolve, an aborted call", async () => {
    const nobody = await client("http://127.0.0.1:1").pay(CALL, GO_ON);
    expect(nobody).toMatchObject({
      word: unclear("connection ECONNREFUSED"),
      http_status: null,
      answer: null,
    });
    const peer = await startPeer(() => {});
    const stop = new AbortController();
    const going = client(peer.url).pay(CALL, stop.signal);
    stop.abort();
    expect((await going).word).toEqual(unclear("stopped"));
    expect((await client(peer.url).ask(CALL, stop.signal)).word).toMatchObject({ why: "stopped" });
  });
});

describe("a connection", () => {
  it.each([0, 30])(
    "does not let a surplus answer, sent %i ms later, meet the next call",
    async (delayMs) => {
      const left: Promise<unknown>[] = [];
      const peer = await startPeer((socket, { body }) => {
        const { trans_sn } = JSON.parse(body) as PayoutCall;
        const isFirst = left.length === 0;
        const extra = isFirst ? ok({ ...WORD, trans_sn: "surplus" }) : "";
        if (isFirst) {
          // The connection closes, with or without an error.
          left.push(new Promise((resolve) => socket.once("close", resolve)));
        }
        if (delayMs === 0) {
          socket.write(ok({ ...WORD, trans_sn }) + extra);
        } else {
          socket.write(ok({ ...WORD, trans_sn }));
          setTimeout(() => socket.write(extra), delayMs);
        }
      });
      const wallet = client(peer.url);
      const pay = async (trans_sn: string) =>
        (await wallet.pay({ ...CALL, trans_sn }, GO_ON)).word.kind;
      const first = await pay("t-1");
      if (delayMs > 0) {
        // A connection that received unrequested data is closed before its next use.
        await left[0];
      }
      expect([first, await pay("t-2"), await pay("t-3")]).toEqual(["paid", "paid", "paid"]);
    },
  );

  it("is reused after a result or an error, and not after an invalid answer", async () => {
    let bytes = ok(WORD);
    const peer = await startPeer((socket) => socket.write(bytes));
    const wallet = client(peer.url);
    await wallet.pay(CALL, GO_ON);
    bytes = http("500 Oops", "{}");
    await wallet.pay(CALL, GO_ON);
    bytes = ok({ ...WORD, trans_sn: "t-2" });
    await wallet.pay(CALL, GO_ON);
    expect(peer.connections()).toBe(1);
    await wallet.pay(CALL, GO_ON);
    await wallet.pay(CALL, GO_ON);
    expect(peer.connections()).toBe(3);
  });

  it.each<[string, string, number | null]>([
    ["429 Slow down", "21600", 21_600_000],
    ["503 Unavailable", " 2 ", 2_000],
    ["503 Unavailable", "0", null],
    ["503 Unavailable", "-5", null],
    ["503 Unavailable", "soon", null],
    ["503 Unavailable", "1.5e9999", null],
    ["500 Oops", "60", null],
    ["200 OK", "60", null],
  ])("%s with Retry-After %s: the wait", async (status, header, ms) => {
    const answer = await payAnswered(http(status, "{}", [`retry-after: ${header}`]));
    expect(answer.retryAfterMs).toBe(ms);
  });

  it("computes the wait from an HTTP date", async () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const { retryAfterMs } = await payAnswered(http("503 x", "", [`retry-after: ${inAMinute}`]));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    const past = new Date(Date.now() - 60_000).toUTCString();
    const late = await payAnswered(http("503 x", "", [`retry-after: ${past}`]));
    expect(late.retryAfterMs).toBeNull();
  });
});
