/**
 * Sends calls with 5,000 new players each, all at once, while other clients draw one by one and a load balancer asks
 * whether the server is ready. Compares the times with a quiet server. Only `npm run prove -- ingest` runs it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { makeDrawable } from "#test/draw-factory";
import { useFaultWallet } from "#test/fault-wallet";
import { useProduct } from "#test/product";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const CALLS = Number(process.env["PROVE_N"]);

const t = useTestDb();
const product = useProduct(t, useFaultWallet());

/** Repeats `ask` until `work` is done. Returns the durations in ms, the longest last. */
async function timesOf(work: Promise<unknown>, status: number, ask: () => Promise<number>) {
  const times: number[] = [];
  let isGoing = true;
  void work.finally(() => (isGoing = false));
  while (isGoing) {
    const begun = performance.now();
    expect(await ask()).toBe(status);
    times.push(Math.round(performance.now() - begun));
    await sleep(20);
  }
  return times.toSorted((a, b) => a - b);
}

async function feed(call: Buffer): Promise<void> {
  let status = await product.open("POST", "/open/v1/players", call);
  for (; status === 429; status = await product.open("POST", "/open/v1/players", call)) {
    await sleep(1_000);
  }
  expect(status).toBe(200);
}

test("draws and readiness go on while many calls feed new players", async () => {
  const { rounds_ids, player_ids } = await makeDrawable(t, { rounds: 8, players: 400 });
  let drawn = 0;
  const draw = async () => {
    const player_id = player_ids[drawn % 400];
    const rounds_id = rounds_ids[Math.floor(drawn / 2_000)];
    drawn += 1;
    const request = { request_id: `r-${drawn}`, rounds_id, player_id };
    return await product.open("POST", "/open/v1/draws", request);
  };
  const look = async () => await product.open("GET", "/readyz", {});
  const watch = async (what: string, work: Promise<unknown>) => {
    const hands = Array.from({ length: 8 }, () => timesOf(work, 201, draw));
    const [looks, ...draws] = await Promise.all([timesOf(work, 200, look), ...hands]);
    const sorted = draws.flat().toSorted((a, b) => a - b);
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
    const slowest = looks.at(-1) ?? 0;
    process.stdout.write(`${what}: draws p99 ${p99} ms, /readyz at most ${slowest} ms\n`);
    return { p99, slowest };
  };
  const calls = Array.from({ length: CALLS }, (_, call) => {
    const ids = Array.from({ length: 5_000 }, (_one, at) => `${call}-${at}`);
    const players = ids.map((id) => ({ player_id: id, user_name: id }));
    return Buffer.from(JSON.stringify({ players }));
  });
  await watch("warm", sleep(1_000));
  const quiet = await watch("quiet", sleep(5_000));
  const busy = await watch("busy", Promise.all(calls.map(feed)));
  expect(busy.p99).toBeLessThanOrEqual(3 * quiet.p99);
  // On a slow machine this request takes a third of a second even when nothing else runs.
  expect(busy.slowest).toBeLessThanOrEqual(Math.max(500, 3 * quiet.slowest));
});
