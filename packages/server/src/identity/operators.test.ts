/** Operators manage others and themselves (behaviour §9). */
import { operatorRoutes, ownRoutes } from "@red/contract/identity/operators";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { createHash } from "node:crypto";
import { recoveryHash } from "./authenticator.ts";
import { tokenHash } from "./operator-auth.ts";
import { hashPassword, isPassword } from "./password.ts";
import { freshCode, openSession } from "#test/contract-world";
import { makeOperator } from "#test/factories";
import { attempt, boundOperator, codeAt, PASSWORD } from "#test/operator-factory";
import { auditsOf, changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const code = () => freshCode(t.db, a.services.secrets);
const coded = async () => ({ code: await code() });
const root = () => rowOf(t.db, "operator", { name: "root-op" });
const own = () => a.read(ownRoutes.read, {});
const signIn = (name: string, given: object = {}) =>
  attempt(t.db, a.services.secrets, { name, ...given }, new Date());

const TIME = /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/;
const lastAct = async (id?: number) => {
  const of = { object_type: "operator", object_id: String(id ?? (await root()).id) };
  return (await auditsOf(t.db, ["action", "actor_kind", "actor", "outcome", "after"], of)).at(-1);
};

beforeEach(async () => {
  await t.db.deleteFrom("login_failure").execute();
  const password_hash = await hashPassword(PASSWORD, "root-op");
  await changeRows(t.db, "operator", { name: "root-op" }, { password_hash });
});

test("recovery codes are ten, each counts once, and a new set ends the former", async () => {
  const { codes } = await a.read(ownRoutes.recovery, await coded());
  expect(new Set(codes).size).toBe(10);
  const [one = "", two = "", three = ""] = codes;
  expect(one).toMatch(/^[a-z]{5}(-[a-z]{5}){4}$/);
  expect(await lastAct()).toMatchObject({ action: "renew_recovery_codes", after: null });
  expect((await signIn("root-op", { code: ` ${one.toUpperCase()} ` })).kind).toBe("signed_in");
  const used = { action: "use_recovery_code", actor_kind: "operator", actor: "root-op" } as const;
  expect(await auditsOf(t.db, ["action"], used)).toHaveLength(1);
  expect(await signIn("root-op", { code: one })).toMatchObject({ msg: "recovery_wrong" });
  expect(await rowsOf(t.db, "login_failure")).toHaveLength(1);
  const start = async (typed: string) =>
    (await a.call(stopSwitchRoutes.startDraws, { code: typed })).code;
  expect((await Promise.all([start(two), start(two)])).toSorted()).toEqual([200, 402]);
  const { code: refused, msg } = await a.call(ownRoutes.recovery, { code: three });
  expect([refused, msg]).toEqual([402, "请输入验证器的动态验证码，恢复码不能用来生成恢复码"]);
  expect((await own()).recovery_left).toBe(8);
  await a.read(ownRoutes.recovery, await coded());
  expect((await own()).recovery_left).toBe(10);
  expect(await start(three)).toBe(402);
  const kept = JSON.stringify(await rowsOf(t.db, "audit_log"));
  expect(codes.filter((secret) => kept.includes(secret))).toEqual([]);
});

test("a recovery code has 25 letters, or 12 of earlier versions, however typed", () => {
  const lengths = [11, 12, 13, 24, 25, 26];
  const taken = lengths.filter((length) => recoveryHash("a".repeat(length)) !== null);
  expect([taken, recoveryHash(`${"a".repeat(11)}1`)]).toEqual([[12, 25], null]);
  const hash = createHash("sha256").update("abcdefghijklmnopqrstuvwxy").digest();
  expect(recoveryHash("ABCDE-fghij klmno-pqrst-uvwxy")).toEqual(hash);
});

test("one's own password is changed by the present one, and ends other sessions", async () => {
  expect(await a.call(ownRoutes.endSessions, { body: {} })).toMatchObject({ msg: "会话已结束" });
  const other = await openSession(t.db, "root-op");
  const password = `${PASSWORD} two`;
  const change = async (current: string, to = password) =>
    await a.call(ownRoutes.password, { body: { current, password: to }, code: await code() });
  expect(await change("wrong one")).toMatchObject({ code: 400, key: "password_wrong" });
  expect(await lastAct()).toMatchObject({
    action: "change_password",
    outcome: "refused",
    after: { why: "wrong_password", failures: 1 },
  });
  expect(await rowsOf(t.db, "login_failure")).toHaveLength(1);
  expect(await change(PASSWORD, PASSWORD)).toMatchObject({ msg: "新密码不能与当前密码相同" });
  expect(await change(PASSWORD, "short")).toMatchObject({ code: 400 });
  const easy = { key: "password_easy", data: { errors: [{ field: "password" }] } };
  expect(await change(PASSWORD, "I am Root-Op myself")).toMatchObject(easy);
  expect(await change(PASSWORD)).toMatchObject({ code: 200, msg: "修改成功" });
  const changed = { action: "change_password", outcome: "done", after: { sessions_ended: 1 } };
  expect(await lastAct()).toMatchObject(changed);
  expect(await isPassword(password, (await root()).password_hash)).toBe(true);
  const asked = await a.app.inject({ url: ownRoutes.read.path, headers: { token: other } });
  expect(asked.json()).toMatchObject({ key: "session_ended" });
  expect((await own()).sessions).toMatchObject([{ current: true }]);
});

test("one's own authenticator stays until a code of the new one binds that", async () => {
  const shown = await a.read(ownRoutes.newSeed, await coded());
  expect(await lastAct()).toMatchObject({ action: "show_seed", after: null });
  const bind = (typed: string) => a.call(ownRoutes.bindSeed, { body: { code: typed } });
  expect(await bind("000000")).toMatchObject({ code: 400, key: "seed_code_wrong" });
  const before = (await root()).totp_secret;
  await openSession(t.db, "root-op");
  const first = codeAt(shown.secret, new Date());
  expect(await bind(first)).toMatchObject({ code: 200, msg: "修改成功" });
  const bound = { action: "bind_authenticator", after: { sessions_ended: 1 } };
  expect(await lastAct()).toMatchObject(bound);
  expect(await a.call(ownRoutes.newSeed, { code: first })).toMatchObject({ code: 402, data: null });
  expect((await root()).totp_secret).not.toEqual(before);
  expect((await own()).sessions).toMatchObject([{ current: true }]);
  expect(await bind("000000")).toMatchObject({ code: 409, key: "seed_not_shown" });
});

test("a new operator signs in with the password shown once, and binds", async () => {
  const make = async (name: string) =>
    await a.call(operatorRoutes.create, { body: { name, roles: ["support"] }, code: await code() });
  const made = await make("made-op");
  expect(made.msg).toBe("已新增操作员");
  const { password } = made.data as { password: string };
  expect((await signIn("made-op", { password })).kind).toBe("bind");
  expect(await make("MADE-op")).toMatchObject({ code: 409, key: "operator_name_taken" });
});

test("another's authenticator is reset, but not one's own", async () => {
  await boundOperator(t.db, a.services.secrets, "lost-op", new Date());
  const { id } = await rowOf(t.db, "operator", { name: "lost-op" });
  const reset = async (who: number) =>
    await a.call(operatorRoutes.authenticator, { params: { id: who }, ...(await coded()) });
  const params = { id: (await root()).id };
  expect(await reset(params.id)).toMatchObject({ code: 409, key: "own_account" });
  expect(await a.call(operatorRoutes.disable, { params })).toMatchObject({ key: "own_account" });
  expect(await reset(id)).toMatchObject({ code: 200, msg: "已解除验证器" });
  expect((await signIn("lost-op")).kind).toBe("bind");
});

test("another gets roles and a password, is disabled and enabled", async () => {
  const params = { id: await makeOperator(t.db, "other-op") };
  const msgOf = async (route: Parameters<typeof a.call>[0], body: object = {}) =>
    (await a.call(route, { params, body, code: await code() } as object)).msg;
  expect(await msgOf(operatorRoutes.roles, { roles: ["viewer"] })).toBe("修改成功");
  expect(await msgOf(operatorRoutes.password)).toBe("已生成新密码");
  const { msg } = await a.call(operatorRoutes.disable, { params });
  expect([msg, (await rowOf(t.db, "operator", params)).disabled]).toEqual(["已停用", true]);
  expect(await msgOf(operatorRoutes.enable)).toBe("已启用");
  expect(await rowOf(t.db, "operator", params)).toMatchObject({
    disabled: false,
    roles: ["viewer"],
  });
});

test("the list has operators in the order in which they were made, with their open sessions", async () => {
  await makeOperator(t.db, "bare-op");
  const roles = ["support" as const, "viewer" as const];
  const bind_until = new Date("2026-01-02T03:04:05Z");
  const id = await makeOperator(t.db, "listed-op", { roles, bind_until });
  const [old = "", over = ""] = await Promise.all(
    [1, 2, 3].map(() => openSession(t.db, "listed-op")),
  );
  const past = new Date("2020-01-02T03:04:05Z");
  const ended = { ended_by: "other", ended_at: past } as const;
  await changeRows(t.db, "session", { token_hash: tokenHash(old) }, { seen_at: past });
  await changeRows(t.db, "session", { token_hash: tokenHash(over) }, ended);
  await code();
  const { content, total } = await a.read(operatorRoutes.list, {});
  expect(total).toBe(content.length);
  const ids = content.map((one) => one.id);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(content.find(({ name }) => name === "root-op")).toMatchObject({ bound: true });
  expect(content.slice(-2)).toEqual([
    expect.objectContaining({ name: "bare-op", sessions: 0, seen_at: null }),
    {
      id,
      name: "listed-op",
      roles,
      disabled: false,
      bound: false,
      bind_until: "2026-01-02 11:04:05",
      created_at: expect.stringMatching(TIME),
      sessions: 1,
      seen_at: expect.not.stringMatching(/^2020/),
    },
  ]);
});

test("a wrong code counts against the network of its address, one that is missing does not", async () => {
  const start = async (typed: string | null) => {
    const [url, method] = [stopSwitchRoutes.startDraws.path, "PUT"] as const;
    const headers = { token: a.token };
    const request = {
      method,
      url,
      headers,
      remoteAddress: "2001:db8::7",
      payload: { code: typed },
    };
    return (await a.app.inject(request)).json<unknown>();
  };
  await changeRows(t.db, "operator", { name: "root-op" }, { totp_secret: null });
  expect(await start("123456")).toMatchObject({ code: 402, msg: "动态验证码错误" });
  expect(await lastAct()).toMatchObject({ action: "confirm_code", after: { why: "wrong_code" } });
  expect(await rowsOf(t.db, "login_failure")).toMatchObject([{ address: "2001:db8:0:0::/64" }]);
  await t.sql`insert into login_failure (name_key, address)
    select name_key, address from login_failure, generate_series(1, 9)`;
  expect(await start(null)).toMatchObject({ key: "proof_needed" });
  expect(await start(await code())).toMatchObject({ key: "login_locked" });
});

test("others lose one session, or all of them", async () => {
  const params = { id: await makeOperator(t.db, "many-op") };
  const opened = await Promise.all([1, 2, 3, 4].map(() => openSession(t.db, "many-op")));
  const [oldest, over] = opened.map((token) => ({ token_hash: tokenHash(token) }));
  await changeRows(t.db, "session", oldest ?? {}, { created_at: new Date(Date.now() - 60_000) });
  const ended = { ended_by: "logout", ended_at: new Date(0) } as const;
  await changeRows(t.db, "session", over ?? {}, ended);
  const list = async () => (await a.read(operatorRoutes.sessions, { params })).content;
  const [first, , last] = await list();
  const { id } = await rowOf(t.db, "session", oldest);
  const time = expect.stringMatching(TIME);
  const shown = { id, address: null, created_at: time, seen_at: time, current: false };
  expect(last).toEqual(shown);
  const end = (session_id: number | null) =>
    a.call(operatorRoutes.endSessions, { params, body: { session_id } });
  expect(await end(first?.id ?? 0)).toMatchObject({ code: 200 });
  expect(await list()).toHaveLength(2);
  expect(await end(first?.id ?? 0)).toMatchObject({ code: 404, key: "session_not_found" });
  const [mine] = (await own()).sessions;
  expect(await end(mine?.id ?? 0)).toMatchObject({ code: 404, key: "session_not_found" });
  expect(await end(null)).toMatchObject({ code: 200, msg: "会话已结束" });
  expect(await lastAct(params.id)).toMatchObject({
    action: "end_sessions",
    after: { sessions_ended: 2 },
  });
  expect(await list()).toEqual([]);
  expect(await rowOf(t.db, "session", over)).toMatchObject(ended);
  // For the caller's own account, all sessions except the current one end.
  const self = { params: { id: (await root()).id }, body: {} };
  await openSession(t.db, "root-op");
  expect(await a.call(operatorRoutes.endSessions, self)).toMatchObject({ code: 200 });
  expect((await own()).sessions).toMatchObject([{ current: true }]);
});
