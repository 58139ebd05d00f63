import { randomBytes } from "node:crypto";
import type { Envelope } from "@red/contract/envelope";
import { sessionRoutes } from "@red/contract/session";
import { buildApp } from "#app";
import { tokenHash } from "./operator-auth.ts";
import { boundOperator, codeAt, later, PASSWORD } from "#test/operator-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import type { FastifyInstance } from "fastify";
import { expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

/** The body of a sign-in that succeeds. */
async function goodBody(username: string): Promise<object> {
  const now = new Date();
  const secret = await boundOperator(t.db, a.services.secrets, username, later(now, -600));
  return { username, password: PASSWORD, code: codeAt(secret, now) };
}

async function post(app: FastifyInstance, body: object, headers: Record<string, string> = {}) {
  const response = await app.inject({
    method: "POST",
    url: sessionRoutes.login.path,
    headers: { "content-type": "application/json", ...headers },
    payload: JSON.stringify(body),
  });
  const { data } = response.json<Envelope<{ access_token: string } | null>>();
  return { token: data?.access_token ?? "", cookie: response.headers["set-cookie"] };
}

test("a success sets the cookie for this site alone, out of reach of scripts", async () => {
  const body = await goodBody("cookie-set");
  const { token, cookie } = await post(a.app, body);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(cookie).toBe(`Admin-Token=${token}; Path=/; HttpOnly; SameSite=Strict`);
  expect((await post(a.app, body)).cookie).toBeUndefined();
});

test("under TLS the cookie stays there", async () => {
  const app = await buildApp({ ...a.deps, trustProxy: 1 });
  onTestFinished(() => app.close());
  const body = await goodBody("cookie-secure");
  const { token, cookie } = await post(app, body, { "x-forwarded-proto": "https" });
  expect(cookie).toBe(`Admin-Token=${token}; Path=/; HttpOnly; Secure; SameSite=Strict`);
});

test("the database holds the hash of the token, not the token", async () => {
  const { token } = await post(a.app, await goodBody("cookie-hash"));
  const rows = await t.db.selectFrom("session").select("token_hash").execute();
  const stored = rows.map((row) => row.token_hash.toString("hex"));
  expect(stored).toContain(tokenHash(token).toString("hex"));
  expect(stored).not.toContain(Buffer.from(token, "base64url").toString("hex"));
});

test("a token that was planted before the sign-in opens nothing after it", async () => {
  const planted = randomBytes(32).toString("base64url");
  const headers = { cookie: `Admin-Token=${planted}` };
  const { token } = await post(a.app, await goodBody("cookie-planted"), headers);
  expect(token).not.toBe(planted);
  const url = sessionRoutes.userInfo.path;
  const response = await a.app.inject({ method: "GET", url, headers });
  expect(response.json<Envelope>().code).toBe(401);
});

test("signing out needs the cookie alone, and takes it from the browser whatever comes of it", async () => {
  const { token } = await post(a.app, await goodBody("cookie-dead"));
  const logOut = async (headers: Record<string, string>) => {
    const url = sessionRoutes.logout.path;
    const response = await a.app.inject({ method: "POST", url, headers });
    return [response.json<Envelope>().code, response.headers["set-cookie"] ?? null];
  };
  const cleared = expect.stringMatching(/^Admin-Token=; /);
  expect(await logOut({ cookie: "Admin-Token=garbage" })).toEqual([50008, cleared]);
  // What a foreign page makes a browser send comes without the cookie.
  expect(await logOut({})).toEqual([401, null]);
  const info = { method: "GET", url: sessionRoutes.userInfo.path, headers: { token } } as const;
  expect((await a.app.inject(info)).json<Envelope>().code).toBe(200);
  expect(await logOut({ cookie: `Admin-Token=${token}` })).toEqual([200, cleared]);
  expect((await a.app.inject(info)).json<Envelope>().code).toBe(401);
  expect(await logOut({ cookie: `Admin-Token=${token}` })).toEqual([401, cleared]);
});
