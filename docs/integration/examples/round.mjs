/**
 * For a trial: signs in as an operator who never signed in before, and makes a pool with one money
 * prize and a round in which every deposit of 120 earns a draw. Later rounds are made in the console.
 * Node 20 or newer, nothing else.
 *
 *   RED_URL=http://127.0.0.1:8090 ADMIN_USERNAME=… ADMIN_PASSWORD=… node round.mjs
 *
 * It binds the operator to an authenticator and prints what to enter there, for signing in by hand.
 */
import { createHmac } from "node:crypto";
import { env, stdout } from "node:process";

const { RED_URL: BASE = "http://127.0.0.1:8080", ADMIN_USERNAME: username } = env;
const password = env.ADMIN_PASSWORD;
if (!username || !password) {
  throw new Error("set ADMIN_USERNAME and ADMIN_PASSWORD to what the server was started with");
}

/** One operator call: HTTP 200 whatever comes of it, which `code` says. */
async function call(wanted, path, content, token) {
  const response = await fetch(`${BASE}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "accept-language": "en",
      ...(token === undefined ? {} : { token }),
    },
    body: JSON.stringify(content),
    signal: AbortSignal.timeout(30_000),
  });
  const { code, msg, data } = await response.json();
  if (code !== wanted) {
    throw new Error(`POST ${path} answered ${code}: ${msg}`);
  }
  return data;
}

/** The authenticator's code of this moment (RFC 6238: SHA-1, 30 s, six digits). */
function codeOf(secret) {
  const digit = (letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter);
  const bits = [...secret].map((letter) => digit(letter).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac("sha1", key).update(step).digest();
  const number = hash.readUInt32BE(hash.at(-1) % 16) % 2 ** 31;
  return String(number % 1_000_000).padStart(6, "0");
}

// Name and password are right, and an authenticator is still to be bound: 407. With its code: 0.
const { secret } = await call(407, "/oauth/login", { username, password, pid: "2" });
const code = codeOf(secret);
const signedIn = await call(0, "/oauth/login", { username, password, pid: "2", code });
stdout.write(`authenticator of ${username}: ${secret}\n`);

const pool_name = "Trial pool";
const prize = { award_name: "8.88", award_price: "8.88", weight: 1, award_total: 1000, floors: 0 };
await call(200, "/gred/api/prize", { ...prize, pool_name }, signedIn.access_token);

const long = { start_time: "2020-01-01 00:00:00", end_time: "2096-01-01 00:00:00" };
const round = {
  rounds_name: "Trial round",
  tag: "weekend",
  red_code: "RED_PACKET",
  pool_name,
  // Deposits (2), added up (1), each time the value is full (2).
  condition_name: "2",
  condition_formula: "1",
  condition_type: "2",
  condition_value: "120.00",
  condition_times: 1,
  turnover: 1,
  achieve_start_time: long.start_time,
  achieve_end_time: long.end_time,
  ...long,
};
const { id } = await call(200, "/gred/api/act", round, signedIn.access_token);
stdout.write(`round: ${id}\n`);
