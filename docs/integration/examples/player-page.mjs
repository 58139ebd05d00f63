/**
 * Prints what a player's page shows: prizes with their odds, the draws left, what keeps from drawing, the last ten draws. Given a folder,
 * writes the receipts of those draws there, with the checkpoints of the chain. Node 20 or newer, nothing else.
 *
 *   RED_URL=http://127.0.0.1:8080 RED_KEY=rk_… RED_SECRET=… node player-page.mjs [PLAYER_ID [FOLDER]]
 */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { argv, env, stdout } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const { RED_URL: BASE = "http://127.0.0.1:8080", RED_KEY: KEY, RED_SECRET: SECRET } = env;
if (!KEY || !SECRET) {
  throw new Error("set RED_KEY and RED_SECRET to what redctl printed");
}
const player = encodeURIComponent(argv[2] ?? "example-node");
const folder = argv[3];

function say(line) {
  stdout.write(`${line}\n`);
}

/** The headers of one attempt; every attempt needs its own. */
function signed(path) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const hash = createHash("sha256").update("").digest("hex");
  const text = `${timestamp}.${nonce}.GET.${path}.${hash}`;
  const signature = createHmac("sha256", SECRET).update(text).digest("hex");
  return {
    "x-key": KEY,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-signature": signature,
    "accept-language": "en",
  };
}

/** One read; repeat it as draw.mjs does while there is no answer. */
async function read(path) {
  const response = await fetch(`${BASE}${path}`, {
    headers: signed(path),
    signal: AbortSignal.timeout(30_000),
  });
  const seconds = response.headers.get("retry-after");
  if (response.status === 409 && seconds !== null) {
    await sleep(Number(seconds) * 1000); // The draw is not sealed yet.
    return await read(path);
  }
  if (!response.ok) {
    throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
  }
  return await response.json();
}

const { rounds } = await read("/open/v1/rounds?active=1");
const shown = rounds.slice(0, 50);
const rounds_ids = shown.map(({ rounds_id }) => rounds_id).join(",");
const { chances } =
  shown.length === 0
    ? { chances: [] }
    : await read(`/open/v1/chances?player_id=${player}&rounds_ids=${rounds_ids}`);

for (const [at, { rounds_id, rounds_name, rule_text }] of shown.entries()) {
  say(`round ${rounds_id}: ${rounds_name}`);
  say(`  rule: ${rule_text}`);
  const { prizes } = await read(`/open/v1/rounds/${rounds_id}/prizes`);
  for (const { award_name, probability, remaining, stock_text = remaining ?? "" } of prizes) {
    say(`  prize: ${award_name}, ${(Number(probability) * 100).toPrecision(3)} %  ${stock_text}`);
  }
  const { total = 0, already = 0, remain = 0 } = chances[at];
  say(`  draws: ${remain} left of ${total}, ${already} drawn`);
  const path = `/open/v1/rounds/${rounds_id}/explanation?player_id=${player}`;
  const { gates, text } = await read(path);
  // Words of the platform's own: the text is for support, and says why a player is excluded or blocked.
  say(`  in words: ${gates.length > 0 ? "Drawing is not possible at the moment." : text.en}`);
}

const { draws } = await read(`/open/v1/players/${player}/draws?limit=10`);
for (const { created_at, rounds_name, award_name, payout_text } of draws) {
  say(`drawn ${created_at}: ${award_name} (${rounds_name}), ${payout_text}`);
}

if (folder !== undefined) {
  const keep = async (name, values) => {
    await writeFile(`${folder}/${name}`, values.map((one) => `${JSON.stringify(one)}\n`).join(""));
  };
  const receipts = [];
  // Null where another key drew.
  for (const { request_id } of draws.filter((draw) => draw.request_id !== null)) {
    receipts.push(await read(`/open/v1/draws/${encodeURIComponent(request_id)}/receipt`));
  }
  await keep("receipts.jsonl", receipts);
  const pages = [];
  for (let after = 0; after !== null; after = pages.at(-1).next) {
    pages.push(await read(`/open/v1/checkpoints?after=${after}`));
  }
  await keep("checkpoints.jsonl", pages);
  say(`receipts: ${receipts.length}, under the key ${pages[0].public_key}`);
}
