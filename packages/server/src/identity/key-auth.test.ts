import { keyMemory, nonceMemory } from "./key-auth.ts";
import { revokeApiKey, touchApiKey } from "./api-key-sql.ts";
import { inTransaction } from "#platform/db/connection";
import { buildApp } from "#app";
import { makePlayer } from "#test/factories";
import { changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sweepSignIns } from "./sweep-sign-ins.ts";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const WINDOW_MS = 600_000;
const ROUNDS = "/open/v1/rounds";

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
    now = 3 * WINDOW_MS + 1;
    expect(nonces.remember("k", "other")).toBe(true);
    now = 5 * WINDOW_MS + 1;
    expect(nonces.remember("k", "other")).toBe(false);
    now = 8 * WINDOW_MS;
    expect(nonces.remember("k", "other")).toBe(true);
  });

  test("keeps the newest and forgets the oldest", () => {
    const nonces = nonceMemory(() => 0, 2);
    const areNew = Array.from("abcdedca", (nonce) => nonces.remember("k", nonce));
    expect(areNew).toEqual([true, true, true, true, true, false, false, true]);
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
  // Only nonces of calls about players are stored in the database.
  expect((await a.open("GET", ROUNDS)).statusCode).toBe(200);
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

describe("the head of a call", () => {
  const codeOf = async (headers: Record<string, string>) =>
    (await a.app.inject({ url: ROUNDS, headers })).json<{ code?: string }>().code;

  test.each(["x-key", "x-timestamp", "x-nonce", "x-signature"])("has %s", async (name) => {
    expect(await codeOf({ ...a.sign("GET", ROUNDS, ""), [name]: "" })).toBe("signature_missing");
  });

  test.each([
    [-300_001, "timestamp_out_of_range"],
    [-300_000, undefined],
    [300_000, undefined],
    [300_001, "timestamp_out_of_range"],
  ])("has a time at most 300 s away: %i ms", async (ms, code) => {
    const headers = a.sign("GET", ROUNDS, "");
    const now = Number(headers["x-timestamp"]) * 1_000 + ms;
    const clock = vi.spyOn(Date, "now").mockReturnValue(now);
    expect(await codeOf(headers)).toBe(code);
    clock.mockRestore();
  });

  test.each(["+", "000"])(
    "has its time in digits only, at most twelve: %s before",
    async (before) => {
      const headers = a.sign("GET", ROUNDS, "");
      const timestamp = `${before}${headers["x-timestamp"]}`;
      const refused = "timestamp_out_of_range";
      expect(await codeOf({ ...headers, "x-timestamp": timestamp })).toBe(refused);
      expect(await codeOf({ ...headers, "x-timestamp": `${headers["x-timestamp"]}.0` })).toBe(
        refused,
      );
    },
  );
});

describe("the memory of keys", () => {
  const usedAt = async () => (await rowOf(t.db, "api_key", { key: a.key })).used_at;
  const usedAgo = (span: string | null) =>
    changeRows(
      t.db,
      "api_key",
      { key: a.key },
      { used_at: span === null ? null : sql<Date>`now() - ${span}::interval` },
    );

  test("notes a call once a minute, by each process and by all", async () => {
    let now = 0;
    const keys = keyMemory(t.db, a.services.secrets, () => now);
    const isNoted = async (ms: number) => {
      now = ms;
      await usedAgo(null);
      await keys.touch(a.key);
      return (await usedAt()) !== null;
    };
    expect([await isNoted(0), await isNoted(59_999), await isNoted(60_000)]).toEqual([
      true,
      false,
      true,
    ]);
    for (const [span, isNew] of [
      ["59 seconds", false],
      ["61 seconds", true],
    ] as const) {
      await usedAgo(span);
      await touchApiKey(t.db, a.key);
      expect(((await usedAt())?.getTime() ?? 0) > Date.now() - 55_000).toBe(isNew);
    }
  });

  test("spares the look-up for four seconds, so that a revoked key is refused within five", async () => {
    let now = 0;
    const keys = keyMemory(t.db, a.services.secrets, () => now);
    expect(await keys.find(a.key)).toMatchObject({ secrets: [a.secret] });
    await inTransaction(t.db, (tx) => revokeApiKey(tx, a.key));
    now = 3_999;
    expect(await keys.find(a.key)).not.toBeNull();
    now = 4_000;
    expect(await keys.find(a.key)).toBeNull();
    expect(await keys.find("rk_nobody")).toBeNull();
    await usedAgo(null);
    await touchApiKey(t.db, a.key);
    expect(await usedAt()).toBeNull();
  });
});
