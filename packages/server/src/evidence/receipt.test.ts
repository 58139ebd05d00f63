/**
 * Scripts that share no code with the product check receipts of real draws. `npm run prove -- receipts` checks
 * 10,000 receipts. PHP is also used; only the short form may run without PHP.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { receiptRoutes } from "@red/contract/evidence/receipt";
import { proofRoutes } from "@red/contract/evidence/proof";
import type { Data, Route } from "@red/contract/platform/route";
import { inTransaction } from "#platform/db/connection";
import { OPERATOR } from "#test/activity-factory";
import { makeDrawable } from "#test/draw-factory";
import type { Drawable } from "#test/draw-factory";
import { download } from "#test/downloads";
import { REPOSITORY } from "#test/entry-process";
import { makePrize, makeRecords } from "#test/factories";
import { rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { runScript, sealAll, useLineFiles } from "#test/verifier";
import type { Verdict } from "#test/verifier";
import { beforeAll, describe, expect, test } from "vitest";
import { erasePlayer } from "./erase-player.ts";
import { commitment, roundSalt } from "./seal-chain.ts";
import { BLOCK_MAX, sealLateRecords } from "./seal-records.ts";

type Receipt = Data<typeof receiptRoutes.receipt>;
type Checkpoints = Data<typeof receiptRoutes.checkpoints>;

const IS_LONG = process.env["PROVE_N"] !== undefined;
const COUNT = Number(process.env["PROVE_N"] ?? 60);
const PER_PLAYER = 5;
const CENTS = [771_700_111, 772_700_222, 773_700_333];
const BYTES_MAX = 2_048;
const PATH_MAX = Math.ceil(Math.log2(BLOCK_MAX));

const t = useTestDb();
const app = useTestApp(t);
const lines = useLineFiles();
const playerOf = (at: number) => drawable.player_ids[Math.floor(at / PER_PLAYER)] ?? "";
const urlOf = (request_id: string) => `/open/v1/draws/${request_id}/receipt`;
const answers = new Map<string, string>();
const receiptOf = (request_id: string) => JSON.parse(answers.get(request_id) ?? "null") as Receipt;
const lastReceipt = () => receiptOf(`r-${COUNT - 1}`);
let drawable: Drawable = { pool_id: 0, rounds_ids: [], player_ids: [] };
let rounds_id = 0;
let list: Checkpoints = { public_key: "", checkpoints: [], next: null };
let hasPhp = false;

async function codeOf(url: string) {
  const answer = await app.open("GET", url);
  return [answer.statusCode, answer.json<{ code: string }>().code, answer.headers["retry-after"]];
}

async function fetchReceipt(request_id: string): Promise<Receipt> {
  const answer = await app.open("GET", urlOf(request_id));
  expect(answer.statusCode).toBe(200);
  answers.set(request_id, answer.body);
  return receiptOf(request_id);
}

async function draw(request_id: string, player_id: string): Promise<void> {
  const drawn = await app.deps.draws.draw(app.key, { request_id, rounds_id, player_id });
  expect(drawn).toHaveProperty("drawn");
}

/** Returns the result of both scripts for these receipts. The results must be equal except for the usage line. */
async function verdictOf(receipts: readonly unknown[], words: readonly string[] = []) {
  const key = words.includes("--key") ? [] : ["--key", list.public_key];
  const file = lines(receipts);
  const [verdict, php] = await Promise.all([
    runScript(process.execPath, ["tools/verify-receipt.mjs", file, ...key, ...words]),
    hasPhp
      ? runScript("php", ["docs/integration/verify-receipt.php", ...key, ...words, file])
      : null,
  ]);
  const wordsOf = ({ code, out }: Verdict) => [code, out.replace(/usage: .*/, "")];
  expect(wordsOf(php ?? verdict)).toEqual(wordsOf(verdict));
  return verdict;
}

beforeAll(async () => {
  hasPhp = (await runScript("php", ["-r", "exit(extension_loaded('sodium') ? 0 : 1);"])).code === 0;
  process.stdout.write(hasPhp ? "" : "PHP with sodium is not installed: checked by Node alone\n");
  if (IS_LONG && !hasPhp) {
    throw new Error("the long form needs php with sodium");
  }
  drawable = await makeDrawable(t, { rounds: 1, players: COUNT / PER_PLAYER + 1 });
  [rounds_id = 0] = drawable.rounds_ids;
  for (const award_price_cents of CENTS) {
    const award_name = `“${award_price_cents}” / 元`;
    await makePrize(t.db, { pool_id: drawable.pool_id, award_price_cents, award_name });
  }
  for (let at = 0; at < COUNT; at += PER_PLAYER * 100) {
    const part = Array.from({ length: Math.min(PER_PLAYER * 100, COUNT - at) }, (_, i) => at + i);
    await Promise.all(part.map((i) => draw(`r-${i}`, playerOf(i))));
  }
  await sealAll(t.db, IS_LONG ? BLOCK_MAX : 23);
  const begun = performance.now();
  for (let at = 0; at < COUNT; at += 1) {
    await fetchReceipt(`r-${at}`);
  }
  const ms = ((performance.now() - begun) / COUNT).toFixed(1);
  process.stdout.write(`${COUNT} receipts, ${ms} ms each, one after the other\n`);
  list = (await app.open("GET", "/open/v1/checkpoints?limit=500")).json();
}, 3_600_000);

describe("receipts", () => {
  test("all hold outside, against the checkpoints too", { timeout: 600_000 }, async () => {
    const receipts = [...answers.keys()].map(receiptOf);
    const verdict = await verdictOf(receipts, ["--checkpoints", lines([list])]);
    expect(verdict).toEqual({ code: 0, out: `${COUNT} of ${COUNT} receipts hold\n` });
    const sizes = [...answers.values()].map((answer) => Buffer.byteLength(answer));
    process.stdout.write(`${verdict.out.trim()}, ${Math.max(...sizes)} bytes at most\n`);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(BYTES_MAX);
  });

  test("contain no player and nothing of another draw", async () => {
    const rows = await t.sql<{ player_id: string; salt: Buffer; trans_sn: string; id: number }>`
      select y.player_id, s.salt, p.trans_sn, r.id from draw_record r
      join player y using (player_key) join player_salt s using (player_key)
      join payout p on p.log_id = r.id where r.rounds_id = ${rounds_id}`;
    expect(rows).toHaveLength(COUNT);
    /** Values that belong to only one draw or player, with their owner. */
    const owners = new Map<string, string>();
    for (const { player_id, salt, trans_sn, id } of rows) {
      const ofRound = roundSalt(salt, rounds_id);
      const player = commitment(ofRound, player_id).toString("hex");
      owners.set(trans_sn, String(id)).set(String(id), String(id));
      owners.set(player, player).set(ofRound.toString("hex"), player).set(salt.toString("hex"), "");
    }
    for (const answer of answers.values()) {
      const { facts } = JSON.parse(answer) as Receipt;
      expect(answer).not.toMatch(/p-\d|player-\d/);
      const own = new Set([String(facts.log_id), facts.player]);
      const parts: readonly string[] = answer.match(/[0-9a-f]{64}|\w+/g) ?? [];
      expect(parts.filter((part) => !own.has(owners.get(part) ?? facts.player))).toEqual([]);
      const amounts = CENTS.filter((cents) => parts.includes(String(cents)));
      expect(amounts).toEqual(CENTS.filter((cents) => cents === facts.award_price_cents));
    }
  });

  test("prove their owner to a reader who knows the id", async () => {
    const [own, { salt: _, ...saltless }] = [receiptOf("r-0"), receiptOf("r-1")];
    const words = ["--player", playerOf(0)];
    const { out } = await verdictOf([own, receiptOf("r-7"), saltless], words);
    expect(out).toMatch(/:2, record \d+: player: .* do not lead to the sealed player\n/);
    expect(out).toMatch(/:3, record \d+: player: cannot be checked without salt\n/);
    expect(out).toMatch(/^1 of 3 receipts hold$/m);
  });
});

const UNSEALED = "facts or path";
const UNSIGNED = "not what this key has signed";

/** Each way to tamper with a receipt, and the message that the verifier must print. */
const TAMPERING: Readonly<Record<string, readonly [(receipt: Receipt) => unknown, string]>> = {
  prize: [(r) => (r.facts.award_name = "手机"), UNSEALED],
  amount: [(r) => (r.facts.award_price_cents += 100), UNSEALED],
  player: [(r) => (r.facts.player = receiptOf("r-20").facts.player), UNSEALED],
  ticket: [(r) => (r.facts.ticket += 1), UNSEALED],
  round: [(r) => (r.facts.rounds_id += 1), UNSEALED],
  number: [(r) => (r.facts.draw_no += 1), UNSEALED],
  payout: [(r) => (r.facts.trans_sn = receiptOf("r-20").facts.trans_sn), UNSEALED],
  time: [(r) => (r.facts.created_at = "2026-01-01T00:00:00.000Z"), UNSEALED],
  "another fact": [
    (r) => Object.assign(r.facts, { award_price: "9" }),
    "not sealed: [award_price]",
  ],
  "no fact": [(r) => Reflect.deleteProperty(r.facts, "rule_hash"), "facts missing: [rule_hash]"],
  place: [(r) => (r.index += r.index % 2 === 0 ? 1 : -1), UNSEALED],
  path: [(r) => (r.path = r.path.replace(/./, (c) => (c === "0" ? "1" : "0"))), UNSEALED],
  "shorter path": [(r) => (r.path = r.path.slice(64)), "path: does not fit"],
  predecessor: [(r) => (r.block.prev = r.block.hash), UNSIGNED],
  hash: [(r) => (r.block.hash = r.block.prev), UNSIGNED],
  "block's number": [(r) => (r.block.no += 1), UNSIGNED],
  signature: [(r) => (r.block.signature = lastReceipt().block.signature), UNSIGNED],
  "another's block": [(r) => (r.block = lastReceipt().block), UNSEALED],
  "no receipt": [(r) => Object.assign(r, { facts: undefined }), "facts missing: [log_id,"],
  "null as facts": [(r) => Object.assign(r, { facts: null }), "facts missing: [log_id,"],
  "null as block": [(r) => Object.assign(r, { block: null }), "no such number or hash"],
  "spelled otherwise": [(r) => (r.block.signature = ` ${r.block.signature}`), UNSIGNED],
  "no signature": [(r) => Reflect.deleteProperty(r.block, "signature"), UNSIGNED],
};

describe("tampering is named", () => {
  let said = "";
  beforeAll(async () => {
    const kinds = Object.values(TAMPERING).map(([change]) => {
      const receipt = receiptOf("r-3");
      change(receipt);
      return receipt;
    });
    said = (await verdictOf(kinds)).out;
  });

  test.each(Object.entries(TAMPERING).map(([name, [, why]], at) => ({ name, why, at })))(
    "$name",
    ({ why, at }) => {
      const told = said.split("\n").filter((line) => line.includes(`:${at + 1}, record`));
      expect(told.join("\n")).toContain(why);
      expect(said).toContain(`\n0 of ${Object.keys(TAMPERING).length} receipts hold\n`);
    },
  );

  test("another key, and a list with another block or without it", async () => {
    const key = Buffer.from(list.public_key, "base64").map((byte, at) => byte ^ (at === 0 ? 1 : 0));
    const other = ["--key", Buffer.from(key).toString("base64")];
    const [one, last] = [receiptOf("r-3"), lastReceipt()];
    const two = [one, last];
    expect((await verdictOf(two, other)).out.match(/not what this key has signed/g)).toHaveLength(
      2,
    );
    const { block } = one;
    const known = lines([{ ...block, hash: block.prev }]);
    const { out } = await verdictOf(two, ["--checkpoints", known]);
    expect(out).toContain(`:1, record ${one.facts.log_id}: block ${block.no} is another one`);
    expect(out).toContain(`:2, record ${last.facts.log_id}: block ${last.block.no} is not in`);
  });
});

test.each<[string, () => unknown[], () => string[], string]>([
  ["an empty file", () => [], () => [], "is empty\n"],
  [
    "a missing file",
    () => [{}],
    () => ["--checkpoints", "none.jsonl"],
    "none.jsonl: cannot be read\n",
  ],
  ["a text as list", () => [{}], () => ["--checkpoints", lines(["text"])], "holds something else"],
  ["an unknown option", () => [{}], () => ["--help"], "Unknown option '--help'; usage: "],
])("%s is reported in a line, with code 2", async (_, receipts, words, why) => {
  const { code, out } = await verdictOf(receipts(), words());
  expect([code, out.trimEnd().split("\n").length]).toEqual([2, 1]);
  expect(out).toContain(why);
});

test("values that are not receipts are reported in words", async () => {
  const { code, out } = await verdictOf([{}, "no JSON\n", [], 7]);
  expect([code, out.match(/, record \?: no receipt: facts missing/g)?.length]).toEqual([1, 4]);
});

test("the examples of docs/integration.md hold under each other", async () => {
  const text = readFileSync(path.join(REPOSITORY, "docs/integration.md"), "utf8");
  const example = <T>(name: string): T =>
    JSON.parse(text.split(`json GET /open/v1/${name} answer\n`)[1]?.split("```")[0] ?? "") as T;
  const kept = example<Checkpoints>("checkpoints");
  const words = ["--key", kept.public_key, "--player", "p1", "--checkpoints", lines([kept])];
  const { out } = await verdictOf([example<Receipt>("draws/{request_id}/receipt")], words);
  expect(out).toBe("1 of 1 receipts hold\n");
});

test("the list of checkpoints names the next page, except on the last", async () => {
  const { length } = list.checkpoints;
  const nextOf = async (query: string) =>
    (await app.open("GET", `/open/v1/checkpoints?${query}`)).json<Checkpoints>().next;
  expect(await nextOf(`limit=${length}`)).toBeNull();
  expect(await nextOf(`limit=${length - 1}`)).toBe(length - 1);
  expect(await nextOf(`after=1&limit=${length - 1}`)).toBeNull();
});

test("a round's evidence is a file named by its number; an unknown round has none", async () => {
  const file = (id: number) =>
    download(app, { ...proofRoutes.round, path: `/gred/api/act/${id}/proof` } as Route, {});
  const { statusCode, headers, body } = await file(rounds_id);
  expect(statusCode).toBe(200);
  expect(headers["content-type"]).toBe("application/jsonl; charset=utf-8");
  expect(headers["content-disposition"]).toContain(`proof-${rounds_id}.jsonl`);
  expect(body).toContain(`{"kind":"round","format":3,"rounds_id":${rounds_id},`);
  expect(body).toMatch(new RegExp(`{"kind":"end","records":${COUNT},"chain_end":\\d+}\\n$`));
  expect((await file(999_999)).json()).toMatchObject({ key: "activity_not_found" });
});

describe("a receipt", () => {
  test("comes after the seal, to the key that drew", async () => {
    await draw("fresh", playerOf(COUNT));
    expect(await codeOf(urlOf("fresh"))).toEqual([409, "receipt_not_ready", "5"]);
    expect(await codeOf(urlOf("unknown"))).toEqual([404, "draw_not_found", undefined]);
    await sealAll(t.db, 9);
    const receipt = await fetchReceipt("fresh");
    expect(receipt).toMatchObject({ index: 0, size: 1, path: "" });
    await t.sql`update draw_request set key = 'rk_other' where request_id = 'fresh'`;
    expect(await codeOf(urlOf("fresh"))).toEqual([404, "draw_not_found", undefined]);
  });

  test("of a late record belongs to its own block, and is short even with the longest values", async () => {
    const player = await rowOf(t.db, "player", { player_id: playerOf(0) });
    const int = 2 ** 31 - 1;
    const tickets = { ticket: 2 ** 48 - 2, fallback_ticket: 2 ** 48 - 2 };
    const record = { prize_id: int, extra_time_id: Number.MAX_SAFE_INTEGER, ...tickets };
    const longest = { award_name: "中".repeat(64), award_price_cents: 999_999_999_999 };
    const created_at = new Date(Date.parse(receiptOf("r-0").facts.created_at) + 1);
    const values = { ...longest, draw_no: int, created_at, record };
    const round = { rounds_id, pool_id: drawable.pool_id, prize_id: int };
    const [made] = await makeRecords(t.db, round, player, [values]);
    await t.sql`insert into draw_request (key, request_id, body_hash, log_id, rounds_id)
      values (${app.key}, 'late', '\\x00', ${made?.log_id}, ${rounds_id})`;
    await sealLateRecords(t.db, 3_600_000);
    const late = await fetchReceipt("late");
    expect(late).toMatchObject({ facts: { log_id: made?.log_id }, size: 1 });
    // The hash of the rule and the digits of round, versions, pool, block, index and size may be longer in other
    // receipts.
    const more = 62 + 9 * 4 + 15 + 3 * 2 + 64 * PATH_MAX;
    const bytes = Buffer.byteLength(answers.get("late") ?? "");
    expect(bytes + more).toBeLessThanOrEqual(BYTES_MAX);
  });

  test("of an erased player stays, without salt", async () => {
    await t.sql`update payout set state = case amount_cents when 0 then 'delivered' else 'paid' end,
      paid_at = now() from player y where y.player_key = payout.player_key
        and y.player_id = ${playerOf(5)}`;
    const before = receiptOf("r-5");
    await inTransaction(t.db, (tx) =>
      erasePlayer(tx, OPERATOR, playerOf(5).replace("p-", "player-")),
    );
    expect(await fetchReceipt("r-5")).toEqual({ ...before, salt: null });
    const { out } = await verdictOf([receiptOf("r-5"), receiptOf("late"), receiptOf("fresh")]);
    expect(out).toBe("3 of 3 receipts hold\n");
  });
});
