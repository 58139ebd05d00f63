import { randomBytes } from "node:crypto";
import type { Envelope } from "@red/contract/envelope";
import { sessionRoutes } from "@red/contract/session";
import { resetPassword, resetTotp, setOperatorDisabled } from "./change-operator.ts";
import { buildApp } from "#app";
import { inTransaction } from "#platform/connection";
import type { Tx } from "#platform/connection";
import { ABSOLUTE_HOURS, IDLE_MINUTES } from "./session-sql.ts";
import { tokenHash } from "./operator-auth.ts";
import { boundOperator, codeAt, later, newOperator, wrongCodeAt } from "#test/operator-factory";
import { PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { auditsOf, changeRows } from "#test/rows";
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
    const response = await a.app.inject({ method: "GET", url: INFO, headers: { token } });
    expect(response.json()).toEqual({
      code: 200,
      msg: "success",
      data: {
        name: "info-op",
        roles: ["admin"],
        permissions: expect.arrayContaining(["activity.write", "record.pay"]),
        avatar: "",
        introduction: "admin",
        request_token: expect.stringMatching(/^[\w-]{43}$/),
        time_zone: "Asia/Shanghai",
        red_code_default: "RED_PACKET",
        demo: false,
        wallet: "configured",
        wrong_codes: 0,
      },
    });
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
    ["a malformed cookie", { cookie: "Admin-Token=%22; x=y" }, 50008],
  ])("of %s is refused", async (_, headers: Record<string, string>, code) => {
    expect(await codeOf(INFO, headers)).toBe(code);
  });

  test("ends an hour after the last call", async () => {
    const token = await signIn("idle-op");
    await ageSession(token, "seen_at", IDLE_MINUTES - 1);
    expect(await codeOf(INFO, { token })).toBe(200);
    await ageSession(token, "seen_at", IDLE_MINUTES - 1);
    expect(await codeOf(INFO, { token })).toBe(200);
    await ageSession(token, "seen_at", IDLE_MINUTES + 1);
    expect(await codeOf(INFO, { token })).toBe(50014);
  });

  test("ends twelve hours after the sign-in however busy it is", async () => {
    const token = await signIn("absolute-op");
    await ageSession(token, "created_at", ABSOLUTE_HOURS * 60 - 1);
    expect(await codeOf(INFO, { token })).toBe(200);
    await ageSession(token, "created_at", ABSOLUTE_HOURS * 60 + 1);
    expect(await codeOf(INFO, { token })).toBe(50014);
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

  test("of several that are no live session, the first known one says why it is over", async () => {
    const { token } = await signInAt(a.app, await goodBody("several-over"));
    await ageSession(token, "seen_at", IDLE_MINUTES + 1);
    const unknown = randomBytes(32).toString("base64url");
    const cookie = `Admin-Token=${unknown}; Admin-Token=${token}`;
    expect(await codeOf(INFO, { cookie })).toBe(50014);
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
    // A foreign page makes the browser send the call without the cookie.
    expect(await logOut({})).toEqual([401, null]);
    const info = { method: "GET", url: sessionRoutes.userInfo.path, headers: { token } } as const;
    expect((await a.app.inject(info)).json<Envelope>().code).toBe(200);
    expect(await logOut({ cookie: `Admin-Token=${token}` })).toEqual([200, cleared]);
    expect((await a.app.inject(info)).json<Envelope>().code).toBe(401);
    expect(await logOut({ cookie: `Admin-Token=${token}` })).toEqual([401, cleared]);
  });
});
