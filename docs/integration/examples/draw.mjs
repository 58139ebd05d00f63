/**
 * Feeds a player and a deposit, reads the player's chances, draws, and asks until the prize is paid.
 * Node 20 or newer, nothing else.
 *
 *   RED_URL=http://127.0.0.1:8080 RED_KEY=rk_… RED_SECRET=… node draw.mjs [PLAYER_ID]
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { argv, env, stdout } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const { RED_URL: BASE = "http://127.0.0.1:8080", RED_KEY: KEY, RED_SECRET: SECRET } = env;
if (!KEY || !SECRET) {
  throw new Error("set RED_KEY and RED_SECRET to what redctl printed");
}
const player_id = argv[2] ?? "example-node";

function say(what, value) {
  stdout.write(`${what}: ${typeof value === "string" ? value : JSON.stringify(value)}\n`);
}

/** The headers of one attempt; every attempt needs its own. */
function signed(method, path, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const hash = createHash("sha256").update(body).digest("hex");
  const text = `${timestamp}.${nonce}.${method}.${path}.${hash}`;
  const signature = createHmac("sha256", SECRET).update(text).digest("hex");
  return {
    "x-key": KEY,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    "accept-language": "en",
    ...(body === "" ? {} : { "content-type": "application/json" }),
  };
}

/** One call; repeated as it is while there is no answer, an overload or a fault of the other side. */
async function call(method, path, content) {
  const body = content === undefined ? "" : JSON.stringify(content);
  for (let tries = 1; ; tries += 1) {
    try {
      const response = await fetch(`${BASE}${path}`, {
        method,
        headers: signed(method, path, body),
        ...(body === "" ? {} : { body }),
        signal: AbortSignal.timeout(30_000),
      });
      const { status } = response;
      const text = await response.text();
      if (status < 500 && status !== 429) {
        return { status, text, json: JSON.parse(text) };
      }
      if (tries === 5) {
        throw new Error(`${method} ${path} answered ${status}: ${text}`);
      }
    } catch (error) {
      if (tries === 5) {
        throw error;
      }
    }
    await sleep(tries * 1000);
  }
}

/** A call that must be answered with this status. */
async function must(wanted, method, path, content) {
  const answer = await call(method, path, content);
  if (answer.status !== wanted) {
    throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  }
  return answer;
}

const user_name = `示例玩家-${player_id}`;
const player = { player_id, user_name };
say("player", (await must(200, "POST", "/open/v1/players", { players: [player] })).json);

const deposit = {
  order_no: randomUUID(),
  ...player,
  amount: "120.00",
  channel: 3,
  client: 2,
  created_at: new Date().toISOString(),
};
const fed = await must(200, "POST", "/open/v1/deposits", { deposits: [deposit] });
say("deposit", fed.json);
if (fed.json.accepted !== 1) {
  throw new Error("the deposit was not accepted");
}

const { rounds } = (await must(200, "GET", "/open/v1/rounds?active=1")).json;
let chosen = null;
for (const { rounds_id, rounds_name } of rounds) {
  const path = `/open/v1/rounds/${rounds_id}/chances?player_id=${encodeURIComponent(player_id)}`;
  const chances = (await must(200, "GET", path)).json;
  say(`chances in round ${rounds_id} (${rounds_name})`, chances);
  chosen ??= chances.remain > 0 ? rounds_id : null;
}
if (chosen === null) {
  throw new Error(`no active round has a draw for ${player_id}`);
}

// Keep the request_id with your own record of the click, before you call: it makes repeating safe.
const draw = { request_id: randomUUID(), rounds_id: chosen, player_id };
const first = await must(201, "POST", "/open/v1/draws", draw);
say("drawn", first.text);

const again = await must(200, "POST", "/open/v1/draws", draw);
if (again.text !== first.text) {
  throw new Error(`the repeated draw is another one: ${again.text}`);
}
say("repeated", `the same record, ${again.json.log_id}`);

// Money is on its way for a moment; a thing is, until somebody hands it over.
let found = await must(200, "GET", `/open/v1/draws/${draw.request_id}`);
for (let asked = 1; found.json.award_status === 0 && asked < 30; asked += 1) {
  if (found.json.type !== "virtual") {
    break;
  }
  await sleep(1000);
  found = await must(200, "GET", `/open/v1/draws/${draw.request_id}`);
}
say("award_status", found.json.award_status);
