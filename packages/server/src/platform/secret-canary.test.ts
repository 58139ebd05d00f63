import { randomBytes } from "node:crypto";
import { secretBox } from "./secret-box.ts";
import { ensureSecretKeyRight, isSecretKeyRight } from "./secret-canary.ts";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

test("servers that start at once accept the first key, and no other after it", async () => {
  const key = randomBytes(32);
  expect(await isSecretKeyRight(t.db, secretBox(key))).toBeNull();
  await Promise.all([1, 2, 3, 4].map(() => ensureSecretKeyRight(t.db, secretBox(key))));
  expect(await isSecretKeyRight(t.db, secretBox(key))).toBe(true);
  const another = secretBox(randomBytes(32));
  expect(await isSecretKeyRight(t.db, another)).toBe(false);
  await expect(ensureSecretKeyRight(t.db, another)).rejects.toThrow(/SECRET_KEY is not the one/);
  await ensureSecretKeyRight(t.db, secretBox(key));
});
