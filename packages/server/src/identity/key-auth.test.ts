import { keyMemory, nonceMemory } from "./key-auth.ts";
import { revokeApiKey } from "./api-key-sql.ts";
import { inTransaction } from "#platform/connection";
import { buildApp } from "#app";
import { makePlayer } from "#test/factories";
import { rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sweepSignIns } from "./sweep-sign-ins.ts";
import { describe, expect, test, vi } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const WINDOW_MS = 600_000;

describe("the memory of nonces", () => {
  test("refuses a repeated nonce while its timestamp is valid, and accepts it for another key", () => {
    let now = 0;
    const nonces = nonceMemory(() => now);
    expect(nonces.remember("k", "n")).toBe(true);
    expect(nonces.remember("k", "n")).toBe(false);
    expect(nonces.remember("other", "n")).toBe(true);
    now = WINDOW_MS;
    expect(nonces.remember("k", "n")).toBe(false);
    now = WINDOW_MS + 1;
    expect(nonces.remember("k", "n")).toBe(false);
    now = 3 * WINDOW_MS;
    expect(nonces.remember("k", "n")).toBe(true);
  });

  test("keeps the newest and forgets the oldest", () => {
    const nonces = nonceMemory(() => 0, 100);
    for (let at = 0; at < 1_000; at += 1) {
      expect(nonces.remember("k", `n${at}`)).toBe(true);
    }
    for (let at = 901; at < 1_000; at += 1) {
      expect(nonces.remember("k", `n${at}`)).toBe(false);
    }
    expect(nonces.remember("k", "n0")).toBe(true);
  });

  test("does not confuse the end of a key with the start of a nonce", () => {
    const nonces = nonceMemory(() => 0);
    expect(nonces.remember("rk_1", "2abcdefghijklmnop")).toBe(true);
    expect(nonces.remember("rk_12", "abcdefghijklmnop")).toBe(true);
  });
});

test("a call about players does not come back to another process and undo a block", async () => {
  const { player_id, user_name } = await makePlayer(t.db);
  const url = "/open/v1/players";
  const callOf = (blocked: boolean) => {
    const payload = JSON.stringify({ players: [{ player_id, user_name, blocked }] });
    return { method: "POST" as const, url, payload, headers: a.sign("POST", url, payload) };
  };
  const [unblocks, blocks] = [callOf(false), callOf(true)];
  for (const call of [unblocks, blocks]) {
    expect((await a.app.inject(call)).statusCode).toBe(200);
  }
  const other = await buildApp(a.deps);
  const again = async () => (await other.inject(unblocks)).json<unknown>();
  const sweepAfter = async (seconds: number) => {
    await t.sql`update nonce set at = now() - make_interval(secs => ${seconds}::int)`;
    return await sweepSignIns(t.db, new AbortController().signal);
  };
  expect(await again()).toMatchObject({ status: 401, code: "nonce_seen" });
  expect(await sweepAfter(599)).toMatchObject({ deleted_nonces: 0 });
  expect(await sweepAfter(601)).toMatchObject({ deleted_nonces: 2 });
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 601_000);
  expect(await again()).toMatchObject({ status: 401, code: "timestamp_out_of_range" });
  clock.mockRestore();
  expect(await rowsOf(t.db, "player", { player_id })).toMatchObject([{ blocked: true }]);
  await other.close();
});

describe("the memory of keys", () => {
  test("spares the look-up for four seconds, so that a revoked key is refused within five", async () => {
    let now = 0;
    const keys = keyMemory(t.db, a.services.secrets, () => now);
    expect(await keys.find(a.key)).toMatchObject({ secrets: [a.secret] });
    await inTransaction(t.db, (tx) => revokeApiKey(tx, a.key, new Date()));
    now = 3_999;
    expect(await keys.find(a.key)).not.toBeNull();
    now = 4_000;
    expect(await keys.find(a.key)).toBeNull();
    expect(await keys.find("rk_nobody")).toBeNull();
  });
});
