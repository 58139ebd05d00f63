/**
 * The client of `draws-http`, a process of its own: a line of input asks for one run, a line of output answers it. It
 * signs all calls before the run and speaks HTTP over bare sockets, so that it takes little of the cores it shares with
 * the server.
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { signatureHeaders } from "../packages/contract/src/signing.ts";
import { quantile } from "./report.ts";

export interface Load {
  readonly port: number;
  readonly calls: "draw" | "draws" | "chances" | "healthz";
  /** Of a call of `draws`. */
  readonly draws_per_call: number;
  /** Calls to sign; the run ends earlier when they are used up. */
  readonly most: number;
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
  /** Calls answered, those of warming up included. */
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

function wordsOf(load: Load): readonly [method: string, path: string, body: string] {
  const { calls, draws_per_call, players } = load;
  switch (calls) {
    case "draw":
      return ["POST", "/open/v1/draws", JSON.stringify(drawOf(players))];
    case "draws": {
      const draws = Array.from({ length: draws_per_call }, () => drawOf(players));
      return ["POST", "/open/v1/draws/batch", JSON.stringify({ draws })];
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
  // A refused draw of a batch is a problem document.
  if (answer.toString("latin1", 0, 12) !== wanted || answer.includes("about:blank")) {
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

/** Sends calls one after the other on a connection, while `next` has one. */
async function callOn(load: Load, next: () => Buffer | undefined, onAnswer: (ms: number) => void) {
  const socket = connect(load.port, "127.0.0.1").setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    let asked = 0;
    let bytes: Buffer = Buffer.alloc(0);
    const send = () => {
      const call = next();
      if (call === undefined) {
        socket.end();
        resolve();
      } else {
        asked = performance.now();
        socket.write(call);
      }
    };
    socket.once("connect", send).once("error", reject);
    socket.once("close", () => reject(new Error("the server closed a connection")));
    socket.on("data", (part: Buffer) => {
      bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
      const answer = answerIn(bytes);
      if (answer !== null) {
        check(answer, load);
        bytes = bytes.subarray(answer.length);
        onAnswer(performance.now() - asked);
        send();
      }
    });
  });
}

async function run(load: Load): Promise<Answered> {
  const signed = Array.from({ length: load.most }, () => callOf(load));
  const times: number[] = [];
  const begun = performance.now();
  const from = begun + load.warm_ms;
  const until = from + load.run_ms;
  let [calls, last] = [0, from];
  const next = () => (performance.now() < until ? signed.pop() : undefined);
  const onAnswer = (ms: number) => {
    calls += 1;
    last = performance.now();
    if (last >= from) {
      times.push(ms);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, () => callOn(load, next, onAnswer)));
  if (times.length === 0) {
    throw new Error("all signed calls were used up by warming up");
  }
  const per_s = times.length / ((last - from) / 1_000);
  return { per_s, p99_ms: quantile(times, 0.99), calls };
}

for await (const line of createInterface({ input: process.stdin })) {
  // The bench that starts this process wrote the line.
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line) as Load))}\n`);
}
