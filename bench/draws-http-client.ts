/**
 * The client of `draws-http` and `mixed`, a process of its own: a line of input asks for one run, a line of output
 * answers it. It speaks HTTP over bare sockets and signs before a run without a pace, so that it takes little of the cores
 * it shares with the server.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { signatureHeaders } from "../packages/contract/src/identity/signing.ts";
import { quantile } from "./report.ts";

export interface Load {
  readonly port: number;
  readonly calls: "draw" | "draws" | "deposits" | "chances" | "healthz";
  /** Rows in one call of `draws` or `deposits`. */
  readonly rows_per_call: number;
  /** How many calls to sign beforehand, to be sent as fast as they are answered; the run ends when they are used up. */
  readonly most?: number;
  /** Calls per second instead, each signed when it is due and timed from then, however late it is sent. */
  readonly pace?: number;
  readonly warm_ms: number;
  readonly run_ms: number;
  readonly players: number;
  readonly key: string;
  readonly secret: string;
}

export interface Answered {
  /** Calls per second after warming up. */
  readonly per_s: number;
  readonly p99_ms: number;
  readonly longest_ms: number;
  /** Calls answered, including the warm-up. */
  readonly calls: number;
}

/** Calls at a time, each on a connection of its own. */
const IN_FLIGHT = 64;
const END_OF_HEAD = Buffer.from("\r\n\r\n");
const LENGTH = "content-length: ";

function drawOf(players: number) {
  const player_id = `p${1 + Math.floor(Math.random() * players)}`;
  return { request_id: randomUUID(), rounds_id: 1, player_id };
}

function depositOf(players: number) {
  const { request_id: order_no, player_id } = drawOf(players);
  const user_name = player_id.replace("p", "user");
  const created_at = new Date().toISOString();
  return { order_no, player_id, user_name, amount: "100.00", channel: 1, client: 1, created_at };
}

function wordsOf(load: Load): readonly [method: string, path: string, body: string] {
  const { calls, rows_per_call, players } = load;
  switch (calls) {
    case "draw":
      return ["POST", "/open/v1/draws", JSON.stringify(drawOf(players))];
    case "draws": {
      const draws = Array.from({ length: rows_per_call }, () => drawOf(players));
      return ["POST", "/open/v1/draws/batch", JSON.stringify({ draws })];
    }
    case "deposits": {
      const deposits = Array.from({ length: rows_per_call }, () => depositOf(players));
      return ["POST", "/open/v1/deposits", JSON.stringify({ deposits })];
    }
    case "chances": {
      const { player_id } = drawOf(players);
      return ["GET", `/open/v1/rounds/1/chances?player_id=${player_id}`, ""];
    }
    case "healthz":
      return ["GET", "/healthz", ""];
    default:
      return calls satisfies never;
  }
}

/** The bytes of one signed call. */
function callOf(load: Load): Buffer {
  const [method, path, body] = wordsOf(load);
  const parts = {
    timestamp: String(Math.floor(Date.now() / 1_000)),
    nonce: randomUUID(),
    method,
    path,
    bodyHash: createHash("sha256").update(body).digest("hex"),
  };
  const hmac = (text: string) => createHmac("sha256", load.secret).update(text).digest("hex");
  const headers = Object.entries({
    host: "127.0.0.1",
    ...(load.calls === "healthz" ? {} : signatureHeaders(load.key, parts, hmac)),
    ...(body === "" ? {} : { "content-type": "application/json", "content-length": body.length }),
  });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

/** Throws for an answer that is not what the call asked for. */
function check(answer: Buffer, { calls }: Load): void {
  const wanted = calls === "draw" ? "HTTP/1.1 201" : "HTTP/1.1 200";
  // A refused draw of a batch is a problem document, a refused deposit has an index.
  const isRefused = answer.includes("about:blank") || answer.includes('"index"');
  if (answer.toString("latin1", 0, 12) !== wanted || isRefused) {
    throw new Error(`refused: ${answer.toString("utf8", 0, 2_000)}`);
  }
}

/** The bytes of the answer at the beginning of `bytes`; null while it is incomplete. */
function answerIn(bytes: Buffer): Buffer | null {
  const head = bytes.indexOf(END_OF_HEAD);
  const at = bytes.indexOf(LENGTH);
  if (head < 0 || at < 0) {
    return null;
  }
  const length = Number.parseInt(bytes.toString("latin1", at + LENGTH.length, at + 32), 10);
  const end = head + END_OF_HEAD.length + length;
  return bytes.length < end ? null : bytes.subarray(0, end);
}

/** The next call, and the time from which it is measured; undefined at the end of the run. */
type Next = () => Promise<{ readonly bytes: Buffer; readonly due: number } | undefined>;

/** Calls that are due at a steady pace. */
function paced(load: Load, pace: number, begun: number, until: number): Next {
  let taken = 0;
  return async () => {
    const due = begun + (taken * 1_000) / pace;
    taken += 1;
    if (due >= until) {
      return undefined;
    }
    await sleep(Math.max(0, due - performance.now()));
    return { bytes: callOf(load), due };
  };
}

/** Calls signed beforehand, due as soon as there is a connection. */
function signed(calls: Buffer[], until: number): Next {
  return async () => {
    const due = performance.now();
    const bytes = due < until ? calls.pop() : undefined;
    return bytes === undefined ? undefined : { bytes, due };
  };
}

/** Sends calls one after the other on a connection, while `next` has one. */
async function callOn(load: Load, next: Next, onAnswer: (ms: number) => void) {
  const socket = connect(load.port, "127.0.0.1").setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    let asked = 0;
    let bytes: Buffer = Buffer.alloc(0);
    const send = async () => {
      const call = await next();
      if (call === undefined) {
        socket.end();
        resolve();
      } else {
        asked = call.due;
        socket.write(call.bytes);
      }
    };
    socket.once("connect", () => void send()).once("error", reject);
    socket.once("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (part: Buffer) => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
      const answer = answerIn(bytes);
      if (answer !== null) {
        check(answer, load);
        bytes = bytes.subarray(answer.length);
        onAnswer(performance.now() - asked);
        void send();
      }
    });
  });
}

async function run(load: Load): Promise<Answered> {
  const { pace = null } = load;
  const ready = Array.from({ length: load.most ?? 0 }, () => callOf(load));
  const times: number[] = [];
  const begun = performance.now();
  const from = begun + load.warm_ms;
  const until = from + load.run_ms;
  let [calls, last] = [0, from];
  const next = pace === null ? signed(ready, until) : paced(load, pace, begun, until);
  // At a slow pace more connections would idle until the server closes them.
  const length = Math.min(IN_FLIGHT, Math.ceil(pace ?? IN_FLIGHT));
  const onAnswer = (ms: number) => {
    calls += 1;
    last = performance.now();
    if (last >= from) {
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length }, () => callOn(load, next, onAnswer)));
  if (times.length === 0) {
    throw new Error("all signed calls were used up by warming up");
  }
  const per_s = times.length / ((last - from) / 1_000);
  return { per_s, p99_ms: quantile(times, 0.99), longest_ms: quantile(times, 1), calls };
}

for await (const line of createInterface({ input: process.stdin })) {
  // The bench that starts this process wrote the line.
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line) as Load))}\n`);
}
