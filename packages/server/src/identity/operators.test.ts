/** Operators manage others and themselves (behaviour §9). */
import { operatorRoutes, ownRoutes } from "@red/contract/operators";
import { stopSwitchRoutes } from "@red/contract/stop-switch";
import { hashPassword, isPassword } from "./password.ts";
import { freshCode, openSession } from "#test/contract-world";
import { makeOperator } from "#test/factories";
import { attempt, boundOperator, codeAt, PASSWORD } from "#test/operator-factory";
import { changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const code = () => freshCode(t.db, a.services.secrets);
const coded = async () => ({ body: { code: await code() } });
const root = () => rowOf(t.db, "operator", { name: "root-op" });
const own = () => a.read(ownRoutes.read, {});
const signIn = (name: string, given: object = {}) =>
  attempt(t.db, a.services.secrets, { name, ...given }, new Date());

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
  expect((await signIn("root-op", { code: ` ${one.toUpperCase()} ` })).kind).toBe("signed_in");
  expect(await signIn("root-op", { code: one })).toMatchObject({ msg: "recovery_wrong" });
  expect(await rowsOf(t.db, "login_failure")).toHaveLength(1);
  const start = async (typed: string) =>
    (await a.call(stopSwitchRoutes.startDraws, { body: { code: typed } })).code;
  expect((await Promise.all([start(two), start(two)])).toSorted()).toEqual([200, 402]);
  expect(await a.call(ownRoutes.recovery, { body: { code: three } })).toMatchObject({ code: 400 });
  expect((await own()).recovery_left).toBe(8);
  await a.read(ownRoutes.recovery, await coded());
  expect((await own()).recovery_left).toBe(10);
  expect(await start(three)).toBe(402);
  const kept = JSON.stringify(await rowsOf(t.db, "audit_log"));
  expect(codes.filter((secret) => kept.includes(secret))).toEqual([]);
});

test("one's own password is changed by the present one, and ends other sessions", async () => {
  const other = await openSession(t.db, "root-op");
  const password = `${PASSWORD} two`;
  const change = async (current: string, to = password) =>
    await a.call(ownRoutes.password, { body: { current, password: to, code: await code() } });
  expect(await change("wrong one")).toMatchObject({ code: 400, key: "password_wrong" });
  expect(await rowsOf(t.db, "login_failure")).toHaveLength(1);
  expect(await change(PASSWORD, PASSWORD)).toMatchObject({ msg: "新密码不能与当前密码相同" });
  expect(await change(PASSWORD, "short")).toMatchObject({ code: 400 });
  const easy = { key: "password_easy", data: { errors: [{ field: "password" }] } };
  expect(await change(PASSWORD, "I am Root-Op myself")).toMatchObject(easy);
  expect(await change(PASSWORD)).toMatchObject({ code: 200 });
  expect(await isPassword(password, (await root()).password_hash)).toBe(true);
  const asked = await a.app.inject({ url: ownRoutes.read.path, headers: { token: other } });
  expect(asked.json()).toMatchObject({ key: "session_ended" });
  expect((await own()).sessions).toMatchObject([{ current: true }]);
});

test("one's own authenticator stays until a code of the new one binds that", async () => {
  const shown = await a.read(ownRoutes.newSeed, await coded());
  const bind = (typed: string) => a.call(ownRoutes.bindSeed, { body: { code: typed } });
  expect(await bind("000000")).toMatchObject({ code: 400, key: "seed_code_wrong" });
  const before = (await root()).totp_secret;
  await openSession(t.db, "root-op");
  expect(await bind(codeAt(shown.secret, new Date()))).toMatchObject({ code: 200 });
  expect((await root()).totp_secret).not.toEqual(before);
  expect((await own()).sessions).toMatchObject([{ current: true }]);
  expect(await bind("000000")).toMatchObject({ code: 409, key: "seed_not_shown" });
});

test("a new operator signs in with the password shown once, and binds", async () => {
  const make = async (name: string) =>
    await a.call(operatorRoutes.create, { body: { name, roles: ["support"], code: await code() } });
  const { password } = (await make("made-op")).data as { password: string };
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
  expect(await reset(id)).toMatchObject({ code: 200 });
  expect((await signIn("lost-op")).kind).toBe("bind");
});

test("others lose one session, or all of them", async () => {
  const params = { id: await makeOperator(t.db, "many-op") };
  await Promise.all([1, 2, 3].map(() => openSession(t.db, "many-op")));
  const list = async () => (await a.read(operatorRoutes.sessions, { params })).content;
  const [first] = await list();
  const end = (session_id: number | null) =>
    a.call(operatorRoutes.endSessions, { params, body: { session_id } });
  expect(await end(first?.id ?? 0)).toMatchObject({ code: 200 });
  expect(await list()).toHaveLength(2);
  expect(await end(first?.id ?? 0)).toMatchObject({ code: 404, key: "session_not_found" });
  expect(await end(null)).toMatchObject({ code: 200 });
  expect(await list()).toEqual([]);
});
