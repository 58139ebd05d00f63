/**
 * A wallet adapter to start from: it takes the payouts of the red-packet system and keeps every rule
 * of docs/integration.md. Node 20 or newer, nothing else.
 *
 *   WALLET_KEY=wk_1 WALLET_SECRET=… PORT=9090 LEDGER=./wallet.jsonl node wallet-adapter.mjs
 *
 * REFUSED_PLAYERS: player ids, separated by commas, that are refused; for trying it out.
 *
 * The ledger is a file that only grows, one JSON line per credit. Put your own credit in `book`: the
 * credit and the trans_sn have to be written in ONE transaction, with the trans_sn unique.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { env, exit, stdout } from "node:process";

const { WALLET_KEY: KEY = "", WALLET_SECRET: SECRET = "", LEDGER = "./wallet.jsonl" } = env;
const REFUSED = new Set((env.REFUSED_PLAYERS ?? "").split(",").filter(Boolean));
const PAGE = 500;
if (KEY === "" || SECRET === "") {
  throw new Error("set WALLET_KEY and WALLET_SECRET");
}

/** Every credit by its trans_sn, in the order in which they were made; never taken out. */
const credits = new Map();
const file = openSync(LEDGER, "a+");
const written = readFileSync(file);
// What follows the last line break was cut off by a crash before anybody was told of it.
const whole = written.subarray(0, written.lastIndexOf("\n") + 1);
ftruncateSync(file, whole.length);
for (const line of whole.toString("utf8").split("\n").filter(Boolean)) {
  const credit = JSON.parse(line);
  credits.set(credit.trans_sn, credit);
}

/** Why this player is not paid now; null when he is. Asked anew each time: nothing is remembered. */
function refusalOf({ player_id }) {
  return REFUSED.has(player_id) ? "account frozen" : null;
}

/** Credits the player and returns when that is on disk. Nothing is awaited: no call gets in between. */
function book({ trans_sn, player_id, amount }) {
  const paid_at = new Date().toISOString();
  const wallet_ref = `A${credits.size + 1}`;
  const credit = { trans_sn, player_id, amount, paid_at, wallet_ref };
  try {
    writeSync(file, `${JSON.stringify(credit)}\n`);
    fdatasyncSync(file);
  } catch {
    // Nobody knows now what is on disk: end without an answer. The caller asks again.
    exit(1);
  }
  credits.set(trans_sn, credit);
  return credit;
}

function paidWord({ trans_sn, amount, wallet_ref }) {
  return { status: 200, body: { status: "paid", trans_sn, amount, wallet_ref } };
}

function problem(status, code) {
  return { status, body: { type: "about:blank", title: code, status, code } };
}

function parseJson(body) {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

function pay(call, idempotencyKey) {
  const isText = (name) => typeof call?.[name] === "string" && call[name] !== "";
  if (!["trans_sn", "player_id", "user_name", "amount"].every(isText)) {
    return problem(400, "bad_input");
  }
  const { trans_sn, amount } = call;
  // Amounts are decimal text; compute with whole cents, never with floating point.
  if (!/^(?!0+\.00)\d{1,10}\.\d\d$/.test(amount) || idempotencyKey !== trans_sn) {
    return problem(400, "bad_input");
  }
  const known = credits.get(trans_sn);
  if (known !== undefined) {
    const isSame = known.amount === amount && known.player_id === call.player_id;
    return isSame ? paidWord(known) : problem(409, "trans_sn_reused");
  }
  const reason = refusalOf(call);
  return reason === null
    ? paidWord(book(call))
    : { status: 200, body: { status: "refused", trans_sn, amount, reason } };
}

function statement(query) {
  const [from, to] = [Date.parse(query.get("from")), Date.parse(query.get("to"))];
  const start = Number(query.get("cursor") ?? "0");
  const isInSpan = ({ paid_at }) => Date.parse(paid_at) >= from && Date.parse(paid_at) < to;
  const all = [...credits.values()];
  const next = start + PAGE < all.length ? String(start + PAGE) : null;
  return { status: 200, body: { payouts: all.slice(start, start + PAGE).filter(isInSpan), next } };
}

const nonces = new Map();

/** Null when the call is signed as it must be. `path` is the one of the request line, not decoded. */
function signatureFault({ method, url: path, headers }, body) {
  const [key, time, nonce, given] = ["x-key", "x-timestamp", "x-nonce", "x-signature"].map(
    (name) => headers[name] ?? "",
  );
  const now = Date.now() / 1000;
  if (!/^\d{1,12}$/.test(time) || Math.abs(now - Number(time)) > 300) {
    return "timestamp_out_of_range";
  }
  const hash = createHash("sha256").update(body).digest("hex");
  const text = [time, nonce, method, path, hash].join(".");
  const expected = createHmac("sha256", SECRET).update(text).digest();
  const signature = Buffer.from(given, "hex");
  const isRight = signature.length === expected.length && timingSafeEqual(signature, expected);
  if (key !== KEY || !isRight) {
    return "signature_invalid";
  }
  for (const [old, at] of nonces) {
    if (at > now - 600) {
      break;
    }
    nonces.delete(old);
  }
  if (nonce.length < 16 || nonces.has(nonce)) {
    return "nonce_seen";
  }
  nonces.set(nonce, now);
  return null;
}

function answer(request, body) {
  const fault = signatureFault(request, body);
  if (fault !== null) {
    return problem(401, fault);
  }
  const url = new URL(request.url, "http://wallet.invalid");
  const one = /^\/payouts\/([^/]+)$/.exec(url.pathname)?.[1];
  if (request.method === "POST" && url.pathname === "/payouts") {
    return pay(parseJson(body), request.headers["idempotency-key"]);
  }
  if (request.method === "GET" && one !== undefined) {
    const credit = credits.get(decodeURIComponent(one));
    return credit === undefined ? problem(404, "payout_not_found") : paidWord(credit);
  }
  const isStatement = request.method === "GET" && url.pathname === "/payouts";
  return isStatement ? statement(url.searchParams) : problem(404, "not_found");
}

async function handle(request, response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 65_536) {
      throw new Error("no payout is that long");
    }
    chunks.push(chunk);
  }
  const { status, body } = answer(request, Buffer.concat(chunks));
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const server = createServer((request, response) => {
  handle(request, response).catch(() => response.destroy());
});
server.listen(Number(env.PORT ?? "9090"), "127.0.0.1", () => {
  stdout.write(`${JSON.stringify({ port: server.address().port })}\n`);
});
