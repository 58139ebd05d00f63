import { keyMemory, nonceMemory } from "./key-auth.ts";
import { newCallers, seedCallers } from "#test/test-callers";
import { revokeApiKey } from "./api-key-sql.ts";
import { inTransaction } from "#platform/connection";
import { randomBytes } from "node:crypto";
import { secretBox } from "#platform/secret-box";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

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

describe("the memory of keys", () => {
  const t = useTestDb();

  test("spares the look-up for four seconds, so that a revoked key is refused within five", async () => {
    const secrets = secretBox(randomBytes(32));
    const callers = newCallers();
    await seedCallers(t.db, secrets, callers);
    let now = 0;
    const keys = keyMemory(t.db, secrets, () => now);
    expect(await keys.find(callers.key)).toMatchObject({ secrets: [callers.secret] });
    await inTransaction(t.db, (tx) => revokeApiKey(tx, callers.key, new Date()));
    now = 3_999;
    expect(await keys.find(callers.key)).not.toBeNull();
    now = 4_000;
    expect(await keys.find(callers.key)).toBeNull();
    expect(await keys.find("rk_nobody")).toBeNull();
  });
});
