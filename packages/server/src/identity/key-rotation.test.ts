/** A key is rotated while its platform calls two processes, and no call is rejected. */
import { setImmediate as turn } from "node:timers/promises";
import { apiKeyRoutes } from "@red/contract/identity/api-key";
import { SCOPES } from "@red/contract/platform/permissions";
import { buildApp } from "#app";
import { inTransaction } from "#platform/db/connection";
import { createKey } from "./change-key.ts";
import { freshCode } from "#test/contract-world";
import { makePlayer, makeRound } from "#test/factories";
import { TEST_ACTOR } from "#test/operator-factory";
import { auditsOf } from "#test/rows";
import { signedHeaders } from "#test/test-callers";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const act = async (name: "rotate" | "retire", key: string) => {
  const code = await freshCode(t.db, a.services.secrets);
  return await a.call(apiKeyRoutes[name], { params: { key }, code });
};

const listed = async (key: string) =>
  (await a.read(apiKeyRoutes.list, {})).content.find((one) => one.key === key);

async function ask(app: typeof a.app, key: string, secret: string, url: string) {
  const headers = signedHeaders({ token: "", key, secret }, "GET", url, "");
  return (await app.inject({ url, headers })).statusCode;
}

test("a key is rotated under load: no call is refused, and the old secret ends in five seconds", async () => {
  const { rounds_id } = await makeRound(t.db);
  const { player_id } = await makePlayer(t.db);
  const path = `/open/v1/rounds/${rounds_id}/chances?player_id=${player_id}`;
  const apps = [a.app, await buildApp(a.deps)];
  const key = a.key;
  const statusOf = (secret: string, at: number) => ask(apps[at % 2] ?? a.app, key, secret, path);
  const used = { late: a.secret, early: a.secret };
  const statuses: unknown[] = [];
  let isOver = false;
  const load = Array.from({ length: 8 }, async (_, at) => {
    while (!isOver) {
      statuses.push(await statusOf(at < 4 ? used.early : used.late, at));
      await turn();
    }
  });
  const more = (count: number) => {
    const until = statuses.length + count;
    return expect.poll(() => statuses.length, { timeout: 60_000 }).toBeGreaterThan(until);
  };
  await more(50);
  expect(await act("retire", key)).toMatchObject({ key: "key_not_rotating" });
  const lost = (await act("rotate", key)).data as { secret: string };
  const { secret } = (await act("rotate", key)).data as { secret: string };
  await expect.poll(() => statusOf(lost.secret, 0), { timeout: 10_000 }).toBe(401);
  used.early = secret;
  await more(200);
  used.late = secret;
  await more(50);
  expect(await act("retire", key)).toMatchObject({ code: 200 });
  const retired = Date.now();
  await expect.poll(() => statusOf(a.secret, 0), { timeout: 10_000 }).toBe(401);
  expect(Date.now() - retired).toBeLessThan(5_000);
  isOver = true;
  await Promise.all(load);
  expect([...new Set(statuses)]).toEqual([200]);
  expect(await listed(key)).toMatchObject({ rotated_at: null });
  await apps[1]?.close();
});

test("only calls with the old secret count as its use", async () => {
  const body = {
    name: "k",
    scopes: ["read" as const],
    code: await freshCode(t.db, a.services.secrets),
  };
  const { key, secret: old } = await a.read(apiKeyRoutes.create, { body });
  const url = "/open/v1/draws/none";
  // A wrong signature just before must not delay the use of the new secret.
  expect(await ask(a.app, key, "wrong", url)).toBe(401);
  const { secret } = (await act("rotate", key)).data as { secret: string };
  expect(await ask(a.app, key, secret, url)).toBe(404);
  const players = "/open/v1/players";
  const headers = signedHeaders({ token: "", key, secret }, "POST", players, "{}");
  const unscoped = { method: "POST", url: players, headers, payload: "{}" } as const;
  expect((await a.app.inject(unscoped)).json()).toMatchObject({
    status: 403,
    code: "scope_missing",
    detail: "密钥没有 ingest 权限",
  });
  expect(await listed(key)).toMatchObject({ used_at: null, rotated_at: expect.any(String) });
  expect(await ask(a.app, key, old, url)).toBe(404);
  expect(await listed(key)).toMatchObject({ used_at: expect.any(String) });
});

test("the list and the audit log show a key's life, and other keys stay as they were", async () => {
  const make = async (name: string) => {
    const code = await freshCode(t.db, a.services.secrets);
    return await a.call(apiKeyRoutes.create, { body: { name, scopes: ["read", "draw"] }, code });
  };
  const made = await make(" first ");
  const { key, secret } = made.data as { key: string; secret: string };
  expect([made.msg, key, secret]).toEqual([
    "密钥已生成",
    expect.stringMatching(/^rk_[\w-]{16}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ]);
  const other = (await make("second")).data as { key: string };
  expect(await act("rotate", key)).toMatchObject({ msg: "密钥已生成" });
  expect(await ask(a.app, key, secret, "/open/v1/draws/none")).toBe(404);
  expect(await act("retire", key)).toMatchObject({ msg: "旧密文已停用" });
  await act("rotate", key);
  const revoke = () => a.call(apiKeyRoutes.revoke, { params: { key } });
  expect(await revoke()).toMatchObject({ msg: "密钥已吊销" });
  const gone = { code: 404, msg: `没有可用的密钥 ${key}` };
  expect(await revoke()).toMatchObject(gone);
  expect(await act("rotate", key)).toMatchObject(gone);
  const { content, total } = await a.read(apiKeyRoutes.list, {});
  expect(total).toBe(content.length);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const first = { created_at: time, scopes: ["draw", "read"] };
  expect(content.slice(-2)).toEqual([
    { ...first, key, name: "first", revoked_at: time, used_at: time, rotated_at: time },
    { ...first, key: other.key, name: "second", revoked_at: null, used_at: null, rotated_at: null },
  ]);
  const of = { object_type: "api_key", object_id: key };
  expect(await auditsOf(t.db, ["action", "after"], of)).toEqual([
    { action: "create_key", after: { name: "first", scopes: ["draw", "read"] } },
    { action: "rotate_key", after: null },
    { action: "retire_secret", after: null },
    { action: "rotate_key", after: null },
    { action: "revoke_key", after: null },
  ]);
});

const scopeFault = (scope: string) => ({
  field: "scopes",
  msg: `there is no scope "${scope}": give some of ${SCOPES.join(", ")}`,
});

test.each([
  ["", ["read"], { field: "name", msg: "name is required" }],
  ["k", [], scopeFault("")],
  ["k", ["read", "all"], scopeFault("all")],
])("a key named %j with scopes %j is not made", async (name, scopes, fault) => {
  const made = inTransaction(t.db, (tx) =>
    createKey(tx, TEST_ACTOR, a.services.secrets, { name, scopes }),
  );
  await expect(made).rejects.toMatchObject({ data: { errors: [fault] } });
});
