/**
 * After the restore of a backup, a chain may continue from an older block. Anyone who kept checkpoints can detect
 * this fork. `npm run prove -- forks` repeats the test 100 times.
 */
import type { receiptRoutes } from "@red/contract/evidence/receipt";
import type { Data } from "@red/contract/platform/route";
import { drawQueue } from "#draws/draw-queue";
import { drawOnce, makeDrawable } from "#test/draw-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { runScript, sealAll, useLineFiles } from "#test/verifier";
import { sql } from "kysely";
import { expect, test } from "vitest";

type Page = Data<typeof receiptRoutes.checkpoints>;

const FORKS = Number(process.env["PROVE_N"] ?? 2);
const BLOCK = 4;

const t = useTestDb();
const app = useTestApp(t);
const lines = useLineFiles();

/** In a new round, new players draw five times each. All draws are sealed in small blocks. */
async function drawAndSeal(players: number): Promise<void> {
  const { rounds_ids, player_ids } = await makeDrawable(t, { rounds: 1, players });
  const queue = drawQueue(t.db);
  for (const player_id of player_ids.flatMap((one) => Array<string>(5).fill(one))) {
    expect(await drawOnce(queue, rounds_ids[0] ?? 0, player_id)).toHaveProperty("drawn");
  }
  await sealAll(t.db, BLOCK);
}

/** Reads the whole chain in pages, as a platform does. */
async function readChain(limit: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let after: number | null = 0; after !== null;) {
    const url = `/open/v1/checkpoints?after=${after}&limit=${limit}`;
    const page: Page = (await app.open("GET", url)).json();
    pages.push(page);
    after = page.next;
  }
  return pages;
}

const blocksOf = (pages: readonly Page[]) => pages.flatMap(({ checkpoints }) => checkpoints);

/** Deletes everything that a backup made after block `no` does not contain. */
async function forgetAfter(no: number): Promise<void> {
  await t.sql`delete from seal where no > ${no}`;
  const id = sql`(select max(last_id) from seal)`;
  await t.sql`delete from draw_request where log_id > ${id}`;
  await t.sql`delete from payout where log_id > ${id}`;
  await t.sql`delete from draw_record where id > ${id}`;
}

async function compare(a: readonly unknown[], b: readonly unknown[], key: string) {
  return await runFork(lines(a), lines(b), "--key", key);
}

async function runFork(...words: readonly string[]) {
  return await runScript(process.execPath, ["tools/verify-fork.mjs", ...words]);
}

test.each<[string, unknown[], string[], string]>([
  ["an empty file", [], [], "is empty or not JSON"],
  ["a page without blocks", [{ checkpoints: [] }], [], "holds no checkpoints"],
  ["something else", ["null\n"], [], "holds no checkpoints, or something else"],
  ["an unknown option", [], ["--help"], "Unknown option '--help'; usage: "],
])("%s is reported in a line, with code 2", async (_, values, words, why) => {
  const key = Buffer.alloc(32).toString("base64");
  const { code, out } = await runFork(lines(values), "none.jsonl", "--key", key, ...words);
  expect([code, out.trimEnd().split("\n").length]).toEqual([2, 1]);
  expect(out).toContain(why);
});

test(`each of ${FORKS} forks is named`, { timeout: 3_600_000 }, async () => {
  await drawAndSeal(4);
  for (let fork = 0; fork < FORKS; fork += 1) {
    const kept = await readChain(100);
    const { length } = blocksOf(kept);
    const no = length - 1 - (fork % Math.min(4, length - 1));
    await forgetAfter(no);
    const key = kept[0]?.public_key ?? "";
    const shorter = await compare(kept, await readChain(100), key);
    expect([shorter.code, shorter.out.split(" blocks in both")[0]]).toEqual([
      0,
      `no contradiction: ${no}`,
    ]);
    await drawAndSeal(2 + (fork % 3));
    const today = await readChain(100);
    const { code, out } = await compare(kept, today, key);
    expect([code, out.split(": ")[0]]).toEqual([1, `FORK at block ${no + 1}`]);
    for (const pages of [kept, today]) {
      expect(out).toContain(`(${blocksOf(pages)[no]?.hash})`);
    }
  }
  process.stdout.write(`${FORKS} of ${FORKS} forks named\n`);
});

test("a list that continues after the fork contradicts itself, and a wrong signature is not a fork", async () => {
  const before = await readChain(7);
  const key = before[0]?.public_key ?? "";
  const kept = blocksOf(before);
  const last = kept.length;
  await forgetAfter(last - 1);
  await drawAndSeal(3);
  const list = [...kept, ...blocksOf(await readChain(100)).slice(last)];
  const { code, out } = await compare(list, list, key);
  expect(code).toBe(1);
  expect(out).toContain(`FORK at block ${last + 1}: block ${last}`);
  expect(out).toContain("do not follow from each other");
  const false_ = kept.map((one, at) => (at === 1 ? { ...one, hash: one.prev } : one));
  const refused = await compare(kept, false_, key);
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(/^OFFENCE block 2 of .* is not signed by this key\n$/);
});
