import { randomBytes } from "node:crypto";
import type { Envelope } from "@red/contract/platform/envelope";
import { ownRoutes } from "@red/contract/identity/operators";
import { ROLES } from "@red/contract/platform/permissions";
import { sessionRoutes } from "@red/contract/identity/session";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { resetPassword, resetTotp, setOperatorDisabled } from "./change-operator.ts";
import { buildApp } from "#app";
import { insertRefusal } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { expireSessions, selectSessions, selectSessionsBy } from "./session-sql.ts";
import { sessionCheck, tokenHash } from "./operator-auth.ts";
import { boundOperator, codeAt, later, newOperator, wrongCodeAt } from "#test/operator-factory";
import { operatorId, PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { openSession } from "#test/contract-world";
import { makeOperator } from "#test/factories";
import { auditsOf, changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const INFO = sessionRoutes.userInfo.path;
const ANOTHER = "/gred/api/act/list?page=1&size=20";

async function post(body: object, headers: Record<string, string> = {}, app = a.app) {
  return await app.inject({
    method: "POST",
    url: sessionRoutes.login.path,
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify(body),
  });
}

async function postFor(body: object): Promise<Envelope> {
  const response = await post(body);
  expect(response.statusCode).toBe(200);
  // Older clients read `message`.
  const { message, ...envelope } = response.json<Envelope & { message: string }>();
  expect(message).toBe(envelope.msg);
  return envelope;
}

async function codeOf(url: string, headers: Record<string, string>): Promise<number> {
  const response = await a.app.inject({ method: "GET", url, headers });
  return response.json<Envelope>().code;
}

async function signIn(name: string): Promise<string> {
  const now = new Date();
  const secret = await newOperator(t.db, a.services.secrets, name, now);
  const body = { username: name, password: PASSWORD, pid: "2", code: codeAt(secret, now) };
  const response = await post(body);
  return response.json<Envelope<{ access_token: string }>>().data.access_token;
}

async function ageSession(token: string, column: "seen_at" | "created_at", minutes: number) {
  const aged = { [column]: sql<Date>`now() - make_interval(mins => ${minutes}::int)` };
  await changeRows(t.db, "session", { token_hash: tokenHash(token) }, aged);
}

describe("signing in", () => {
  test("shows QR code and secret with 407 until the first valid code, whatever secret is sent", async () => {
    const now = new Date();
    const username = "wire-bind";
    const secret = await newOperator(t.db, a.services.secrets, username, now);
    const shown = await postFor({ username, password: PASSWORD, pid: "2" });
    expect(shown).toEqual({
      code: 407,
      msg: "请用身份验证器扫描二维码，并输入动态验证码",
      data: { qr_code: expect.stringMatching(/^data:image\/svg\+xml;base64,/), secret },
    });
    const wrong = { username, password: PASSWORD, pid: "2", code: wrongCodeAt(secret, now) };
    expect(await postFor(wrong)).toEqual({
      ...shown,
      msg: "动态验证码错误，请用刚绑定的身份验证器重新输入",
    });
    const theirs = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
    const planted = { ...wrong, secret: theirs, code: codeAt(theirs, now) };
    expect(await postFor(planted)).toMatchObject({ code: 407, data: { secret } });
    const good = await postFor({ ...wrong, secret: theirs, code: codeAt(secret, new Date()) });
    expect(good).toMatchObject({ code: 0, msg: "success", data: { name: username } });
    expect(await postFor({ username, password: PASSWORD })).toMatchObject({ code: 402 });
    expect(await auditsOf(t.db, ["action"], { actor: username })).toEqual([
      { action: "bind_authenticator" },
      { action: "log_in" },
    ]);
  });

  test("asks a bound operator for a code with 402, and says when it is wrong or used", async () => {
    const now = new Date();
    const username = "wire-code";
    const secret = await boundOperator(t.db, a.services.secrets, username, later(now, -600));
    const body = { username, password: PASSWORD, pid: "2" };
    for (const code of [undefined, null, ""]) {
      expect(await postFor({ ...body, code })).toEqual({
        code: 402,
        msg: "请输入动态验证码",
        data: null,
      });
    }
    expect(await postFor({ ...body, code: wrongCodeAt(secret, now) })).toEqual({
      code: 402,
      msg: "动态验证码错误",
      data: null,
    });
    const refused = { outcome: "refused", action: "log_in" } as const;
    const last = (
      await auditsOf(t.db, ["actor_kind", "actor", "address", "request_id"], refused)
    ).at(-1);
    expect(last).toEqual({
      actor_kind: "system",
      actor: "anonymous",
      address: "127.0.0.1",
      request_id: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    const code = codeAt(secret, now);
    const older = { name: username, password: PASSWORD, pid: "2", code };
    expect(await postFor(older)).toMatchObject({ code: 0 });
    expect(await postFor({ ...body, code })).toEqual({
      code: 402,
      msg: "动态验证码已使用过，请等待下一个",
      data: null,
    });
  });

  test("answers 403 and shows nothing when the time for binding has passed", async () => {
    const username = "wire-late";
    await newOperator(t.db, a.services.secrets, username, new Date());
    const late = { bind_until: new Date(Date.now() - 1000) };
    await changeRows(t.db, "operator", { name: username }, late);
    expect(await postFor({ username, password: PASSWORD, pid: "2" })).toEqual({
      code: 403,
      msg: "绑定期限已过，请联系管理员重置",
      data: null,
      key: "not_permitted",
    });
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "is refused as %j, which a form of a foreign site can send",
    async (type) => {
      const body = { username: "wire-known", password: PASSWORD };
      const response = await post(body, { "content-type": type });
      expect(response.statusCode).toBe(415);
      expect(response.json()).toMatchObject({ code: 415, msg: expect.stringContaining("JSON") });
    },
  );
});

describe("who is calling", () => {
  test("is shown with roles, permissions and the request token", async () => {
    const token = await signIn("info-op");
    const roles = ["finance", "viewer"] as const;
    await changeRows(t.db, "operator", { name: "info-op" }, { roles: [...roles] });
    const counted = { action: "log_in", object_type: "operator", after: { new_address: true } };
    const object_id = await operatorId(t.db, "info-op");
    await insertRefusal(t.db, TEST_ACTOR, { ...counted, object_id });
    const response = await a.app.inject({ method: "GET", url: INFO, headers: { token } });
    expect(response.json()).toEqual({
      code: 200,
      msg: "success",
      data: {
        name: "info-op",
        roles,
        permissions: [...new Set([...ROLES.finance, ...ROLES.viewer])],
        avatar: "",
        introduction: "finance, viewer",
        request_token: expect.stringMatching(/^[\w-]{43}$/),
        time_zone: "Asia/Shanghai",
        red_code_default: "RED_PACKET",
        demo: false,
        wallet: "configured",
        wrong_codes: 1,
      },
    });
  });

  test.each([
    ["%E5%9B%A0%E4%B8%BA%20", "因为"],
    ["x".repeat(200), "x".repeat(200)],
    ["", null],
    ["x".repeat(201), undefined],
    ["%E5", undefined],
  ])("may give a reason, which is kept: %s", async (sent, reason) => {
    const headers = { "x-reason": sent, "accept-language": "en" };
    const answer = await a.call(ownRoutes.endSessions, { body: {} }, headers);
    const errors = [{ field: "reason", msg: "Enter a reason" }];
    expect(answer).toMatchObject(
      reason === undefined ? { code: 400, data: { errors } } : { code: 200 },
    );
    const last = (await auditsOf(t.db, ["reason"], { action: "end_sessions" })).at(-1);
    expect(last?.reason).toBe(reason === undefined ? null : reason);
  });

  test("needs the request token beside the cookie, except to get it", async () => {
    const cookie = `Admin-Token=${await signIn("cookie-op")}`;
    const info = await a.app.inject({ method: "GET", url: INFO, headers: { cookie } });
    const { request_token } = info.json<Envelope<{ request_token: string }>>().data;
    expect(await codeOf(ANOTHER, { cookie })).toBe(403);
    expect(await codeOf(ANOTHER, { cookie, token: "x".repeat(43) })).toBe(403);
    expect(await codeOf(ANOTHER, { cookie, token: request_token })).toBe(200);
    expect(await codeOf(ANOTHER, { token: request_token })).toBe(401);
  });
});

describe("a session", () => {
  test.each([
    ["no token", {}, 401],
    ["an unknown token", { token: randomBytes(32).toString("base64url") }, 401],
    ["a malformed token", { token: "undefined" }, 50008],
    ["a short token", { token: "x".repeat(42) }, 50008],
    ["a long token", { token: "x".repeat(44) }, 50008],
    ["an empty cookie", { cookie: "x=y; Admin-Token=" }, 401],
    ["a cookie of a longer name", { cookie: "An-Admin-Token=x" }, 401],
    ["a malformed cookie", { cookie: "Admin-Token=%22; x=y" }, 50008],
  ])("of %s is refused", async (_, headers: Record<string, string>, code) => {
    expect(await codeOf(INFO, headers)).toBe(code);
  });

  test.each([
    ["seen_at", "60 minutes", [false, true]],
    ["seen_at", "60 minutes 1 microsecond", [true, true]],
    ["created_at", "12 hours", [false, false]],
    ["created_at", "12 hours 1 microsecond", [true, false]],
    ["seen_at", "1 minute", [false, false]],
    ["seen_at", "1 minute 1 microsecond", [false, true]],
  ] as const)("of which %s is %s ago", async (column, span, [expired, stale]) => {
    const token_hash = tokenHash(await openSession(t.db, "root-op"));
    await inTransaction(t.db, async (tx) => {
      const aged = { [column]: sql<Date>`now() - ${span}::interval` };
      await changeRows(tx, "session", { token_hash }, aged);
      expect(await selectSessionsBy(tx, [token_hash])).toMatchObject([{ expired, stale }]);
      const id = await operatorId(tx, "root-op");
      const open = await selectSessions(tx, id, token_hash);
      expect(open.some(({ current }) => current)).toBe(!expired);
      await expireSessions(tx, 1_000);
      const { ended_by } = await rowOf(tx, "session", { token_hash });
      expect(ended_by).toBe(expired ? "expiry" : null);
      // An ended session stays ended, even if a later call is recorded.
      await changeRows(tx, "session", { token_hash }, { seen_at: new Date() });
      expect(await selectSessionsBy(tx, [token_hash])).toMatchObject([
        { expired: ended_by !== null || (column === "created_at" && expired) },
      ]);
    });
  });

  test("goes on with each call, but not with those that the console makes on its own", async () => {
    const token = await signIn("idle-op");
    await ageSession(token, "seen_at", 59);
    expect(await codeOf(stopSwitchRoutes.list.path, { token })).toBe(200);
    const seen = async () => {
      const { seen_at } = await rowOf(t.db, "session", { token_hash: tokenHash(token) });
      return (Date.now() - seen_at.getTime()) / 60_000;
    };
    expect(await seen()).toBeGreaterThan(58);
    expect(await codeOf(INFO, { token })).toBe(200);
    expect(await seen()).toBeLessThan(2);
    await ageSession(token, "seen_at", 61);
    expect(await codeOf(INFO, { token })).toBe(50014);
  });

  test.each([
    ["ends an hour after the last call", "seen_at", 61],
    ["ends twelve hours after the sign-in however busy it is", "created_at", 12 * 60 + 1],
  ] as const)("%s, also of those that listen", async (_, column, minutes) => {
    const [token, other] = [await openSession(t.db, "root-op"), await openSession(t.db, "root-op")];
    await ageSession(token, column, minutes - 2);
    expect(await codeOf(INFO, { token })).toBe(200);
    await ageSession(token, column, minutes);
    expect(await codeOf(INFO, { token })).toBe(50014);
    const hashes = [token, other].map(tokenHash);
    const check = await sessionCheck(t.db)(hashes);
    expect(hashes.map(check)).toMatchObject([{ key: "session_expired" }, { name: "root-op" }]);
  });

  test.each([
    ["signed out", 401, { ended_by: "logout", ended_at: new Date() }],
    ["ended by others", 50012, { ended_by: "other", ended_at: new Date() }],
    ["not used for an hour", 50014, { seen_at: new Date(Date.now() - 3_601_000) }],
    ["of a disabled operator", 50012, { seen_at: new Date() }],
  ] as const)("gives way to a live one when it is %s", async (what, code, values) => {
    await makeOperator(t.db, `over-${what}`);
    const [over, live] = [
      await openSession(t.db, `over-${what}`),
      await openSession(t.db, "root-op"),
    ];
    await changeRows(t.db, "session", { token_hash: tokenHash(over) }, values);
    const disabled = what === "of a disabled operator";
    await changeRows(t.db, "operator", { name: `over-${what}` }, { disabled });
    const unknown = randomBytes(32).toString("base64url");
    const cookieOf = (...tokens: string[]) => ({
      cookie: tokens.map((token) => `Admin-Token=${token}`).join("; "),
    });
    expect(await codeOf(INFO, { token: over })).toBe(code);
    expect(await codeOf(INFO, cookieOf(unknown, over))).toBe(code);
    expect(await codeOf(INFO, cookieOf(over, live))).toBe(200);
    // An access token in the header takes precedence over any cookie.
    expect(await codeOf(ANOTHER, { ...cookieOf(over), token: live })).toBe(200);
  });

  test.each<[string, (tx: Tx, name: string) => Promise<object>]>([
    ["a new password", (tx, name) => resetPassword(tx, TEST_ACTOR, { name, password: null })],
    ["a new authenticator", (tx, name) => resetTotp(tx, TEST_ACTOR, { name })],
    ["being disabled", (tx, name) => setOperatorDisabled(tx, TEST_ACTOR, { name, disabled: true })],
  ])("ends at once by %s", async (what, act) => {
    const name = `ended-by-${what.replaceAll(" ", "-")}`;
    const token = await signIn(name);
    const ended = await inTransaction(t.db, (tx) => act(tx, name));
    expect(ended).toMatchObject({ sessions_ended: 1 });
    expect(await codeOf(INFO, { token })).toBe(50012);
  });

  test("stays ended when the operator is enabled again", async () => {
    const token = await signIn("back-op");
    for (const disabled of [true, false]) {
      await inTransaction(t.db, (tx) =>
        setOperatorDisabled(tx, TEST_ACTOR, { name: "back-op", disabled }),
      );
    }
    expect(await codeOf(INFO, { token })).toBe(50012);
  });
});

describe("the cookie", () => {
  async function goodBody(username: string): Promise<object> {
    const now = new Date();
    const secret = await boundOperator(t.db, a.services.secrets, username, later(now, -600));
    return { username, password: PASSWORD, code: codeAt(secret, now) };
  }

  async function signInAt(app: FastifyInstance, body: object, headers?: Record<string, string>) {
    const response = await post(body, headers, app);
    const { data } = response.json<Envelope<{ access_token: string } | null>>();
    return { token: data?.access_token ?? "", cookie: response.headers["set-cookie"] };
  }

  test("a success sets the cookie for this site alone, out of reach of scripts", async () => {
    const body = await goodBody("cookie-set");
    const { token, cookie } = await signInAt(a.app, body);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(cookie).toBe(`Admin-Token=${token}; Path=/; HttpOnly; SameSite=Strict`);
    expect((await signInAt(a.app, body)).cookie).toBeUndefined();
  });

  test.each([
    ["foreign", "Admin-Token=eyJhbGciOi.foo.bar"],
    ["empty", "Admin-Token="],
    ["unknown", `Admin-Token=${randomBytes(32).toString("base64url")}`],
  ])("of the session counts beside one that is %s, first or last", async (what, other) => {
    const [first, last] = [await goodBody(`first-${what}`), await goodBody(`last-${what}`)];
    for (const body of [first, last]) {
      const { token } = await signInAt(a.app, body);
      const pair = `Admin-Token=${token}`;
      const cookie = (body === first ? [pair, other] : [other, pair]).join("; ");
      const info = await a.app.inject({ url: INFO, headers: { cookie } });
      const { request_token } = info.json<Envelope<{ request_token: string }>>().data;
      expect(await codeOf(ANOTHER, { cookie, token: request_token })).toBe(200);
      expect(await codeOf(ANOTHER, { cookie })).toBe(403);
      const { path: url } = sessionRoutes.logout;
      const out = await a.app.inject({ method: "POST", url, headers: { cookie } });
      expect(out.json()).toMatchObject({ code: 200 });
      expect(await codeOf(INFO, { token })).toBe(401);
    }
    const cookie = `${other}; Admin-Token=${await signIn(`before-${what}`)}`;
    expect(await codeOf(INFO, { cookie })).toBe(200);
    await signInAt(a.app, await goodBody(`after-${what}`), { cookie });
    expect(await codeOf(INFO, { cookie })).toBe(401);
  });

  test("under TLS the cookie stays there", async () => {
    const app = await buildApp({ ...a.deps, trustProxy: 1 });
    onTestFinished(() => app.close());
    const body = await goodBody("cookie-secure");
    const { token, cookie } = await signInAt(app, body, { "x-forwarded-proto": "https" });
    expect(cookie).toBe(`Admin-Token=${token}; Path=/; HttpOnly; Secure; SameSite=Strict`);
  });

  test("the database holds the hash of the token, not the token", async () => {
    const { token } = await signInAt(a.app, await goodBody("cookie-hash"));
    const rows = await t.db.selectFrom("session").select("token_hash").execute();
    const stored = rows.map((row) => row.token_hash.toString("hex"));
    expect(stored).toContain(tokenHash(token).toString("hex"));
    expect(stored).not.toContain(Buffer.from(token, "base64url").toString("hex"));
  });

  test("a token planted before the sign-in is worthless after it", async () => {
    const planted = randomBytes(32).toString("base64url");
    const headers = { cookie: `Admin-Token=${planted}` };
    const { token } = await signInAt(a.app, await goodBody("cookie-planted"), headers);
    expect(token).not.toBe(planted);
    const url = sessionRoutes.userInfo.path;
    const response = await a.app.inject({ method: "GET", url, headers });
    expect(response.json<Envelope>().code).toBe(401);
  });

  test("signing out needs the cookie alone, and always removes it from the browser", async () => {
    const { token } = await signInAt(a.app, await goodBody("cookie-dead"));
    const logOut = async (headers: Record<string, string>) => {
      const url = sessionRoutes.logout.path;
      const response = await a.app.inject({ method: "POST", url, headers });
      return [response.json<Envelope>().code, response.headers["set-cookie"] ?? null];
    };
    const cleared = expect.stringMatching(/^Admin-Token=; /);
    expect(await logOut({ cookie: "Admin-Token=garbage" })).toEqual([50008, cleared]);
    expect(await logOut({ token: "garbage" })).toEqual([50008, cleared]);
    const elsewhere = await a.app.inject({ url: INFO, headers: { cookie: "Admin-Token=garbage" } });
    expect(elsewhere.headers["set-cookie"]).toBeUndefined();
    // If a foreign page triggers the call, the browser does not send the cookie.
    expect(await logOut({})).toEqual([401, null]);
    const info = { method: "GET", url: sessionRoutes.userInfo.path, headers: { token } } as const;
    expect((await a.app.inject(info)).json<Envelope>().code).toBe(200);
    expect(await logOut({ cookie: `Admin-Token=${token}` })).toEqual([200, cleared]);
    expect((await a.app.inject(info)).json<Envelope>().code).toBe(401);
    expect(await logOut({ cookie: `Admin-Token=${token}` })).toEqual([401, cleared]);
  });
});
