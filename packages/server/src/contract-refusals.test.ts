/** Every call rejects invalid input and changes nothing. The values are in packages/contract/src/inputs.test.ts. */
import { fillPath } from "@red/contract/platform/route";
import type { Route } from "@red/contract/platform/route";
import { hashOfAll } from "#test/contract-hash";
import { everyRoute, fieldsOf, isSigned } from "#test/contract-routes";
import { sendRaw } from "#test/contract-send";
import { makeWorld } from "#test/contract-world";
import type { World } from "#test/contract-world";
import { everyWrite, isTaken, sendWrite } from "#test/contract-writes";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

let world: World;

beforeAll(async () => {
  world = await makeWorld(t.db, a.services.secrets);
});

/** Returns the fields that the response reports as invalid. */
async function faultsOf(route: Route, url: string, payload: string) {
  const type = { "content-type": "application/json" };
  const caller = isSigned(route) ? a.sign(route.method, url, payload) : { token: a.token };
  const answer = await sendRaw(a, {
    method: route.method,
    url,
    headers: { ...type, ...caller },
    payload: payload === "" ? null : Buffer.from(payload),
  });
  const body = answer.json<{
    code: unknown;
    errors?: { field: string }[];
    data?: { errors: { field: string }[] } | null;
  }>();
  expect([answer.statusCode, body.code]).toEqual(isSigned(route) ? [400, "bad_input"] : [200, 400]);
  return (body.errors ?? body.data?.errors ?? []).map(({ field }) => field);
}

/** A character that no field accepts. */
const NUL = "%00";

/** Returns a URL in which every path parameter is `part`. */
function addressOf({ path }: Route, part: string): string {
  return path.replaceAll(/\{\w+\}/g, part);
}

const routes = everyRoute().filter(({ route }) => route.access !== "upload");

const withBody = routes.filter(({ route }) => route.body !== undefined);
const withParams = routes.filter(({ route }) => fieldsOf(route.params).length > 0);
const withQuery = routes.filter(({ route }) => fieldsOf(route.query).length > 0);
const unknown = ["999999999", String(Number.MAX_SAFE_INTEGER)];
const named = everyWrite()
  .filter(({ route }) => fieldsOf(route.params).length > 0)
  .flatMap((write) => unknown.map((id) => ({ ...write, id })));

let before: string;

beforeEach(async () => {
  before = await hashOfAll(t.db, true);
});

test.each(withBody)("$name refuses a body that is none, and changes nothing", async ({ route }) => {
  expect(await faultsOf(route, addressOf(route, "1"), "[]")).toEqual(["body"]);
  expect(await hashOfAll(t.db, true)).toBe(before);
});

test.each(everyRoute())("$name refuses a body with a content encoding", async ({ route }) => {
  const headers = { "content-encoding": "GZIP" };
  const url = addressOf(route, "1");
  const answer = await a.app.inject({ method: route.method, url, headers, payload: "{}" });
  const code = isSigned(route) ? "body_encoded" : 415;
  expect([answer.statusCode, answer.json()]).toMatchObject([415, { code }]);
});

const uploads = everyRoute().filter(({ route }) => route.access === "upload");

test.each(uploads)("$name asks who calls, whatever the form", async ({ route }) => {
  const url = addressOf(route, "1");
  const answer = await a.app.inject({ method: route.method, url, payload: "{}" });
  expect(answer.json()).toMatchObject({ key: "signed_out" });
});

test.each(withParams)(
  "$name refuses an address that is none, and changes nothing",
  async ({ route }) => {
    const payload = route.body === undefined ? "" : "{}";
    expect(await faultsOf(route, addressOf(route, NUL), payload)).toEqual(fieldsOf(route.params));
    expect(await hashOfAll(t.db, true)).toBe(before);
  },
);

test.each(withQuery)("$name refuses every field of its query that is none", async ({ route }) => {
  const fields = fieldsOf(route.query);
  const wrong = fields.map((field) => `${field}=${NUL}`).join("&");
  const told = await faultsOf(route, `${addressOf(route, "1")}?${wrong}`, "");
  expect(new Set(told)).toEqual(new Set(fields));
});

test.each(named)("$name refuses $id, which there is not, and changes nothing", async (write) => {
  const { params: valid = {}, ...rest } = await write.fixture.valid(world);
  const params = Object.fromEntries(Object.keys(valid).map((part) => [part, write.id]));
  before = await hashOfAll(t.db, true);
  const answer = await sendWrite(a, world, write, { ...rest, params });
  expect(isTaken(write, answer), fillPath(write.route.path, params)).toBe(false);
  expect(String(answer.json<{ code: unknown }>().code)).toMatch(/404|_not_found/);
  expect(await hashOfAll(t.db, true)).toBe(before);
});

test("texts that have broken other systems are stored unchanged", async () => {
  const odd = [
    "{a,b}",
    "{NULL}",
    '{"a":"b\\"}',
    "a\\",
    "'; --",
    "%_",
    "=1+1",
    "🧧",
    "e\u0301",
    "𠮷",
    "null",
  ];
  const players = odd.map((name) => ({ player_id: ` ${name}`, user_name: name }));
  expect((await a.open("POST", "/open/v1/players", { players })).json()).toMatchObject({
    accepted: odd.length,
    rejected: [],
  });
  const kept = await t.db
    .selectFrom("player")
    .select(["player_id", "user_name"])
    .where("player_id", "like", " %")
    .orderBy("player_key")
    .execute();
  expect(kept).toEqual(players);
});

const NO_ADDRESS = ["/gred/api/pool/%ff/copy", "/gred/api/act/%/edit", "/red/act/%c3%28"];

describe("an address that cannot be decoded", () => {
  test.each(NO_ADDRESS)("%s answers the envelope of an unknown one", async (url) => {
    const answer = await a.app.inject({ method: "GET", url, headers: { token: a.token } });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      code: 404,
      msg: "没有这个地址或方法",
      data: null,
      key: "not_found",
    });
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-request-id": expect.stringMatching(/^[\da-f-]{36}$/),
    });
  });

  test("answers a problem document to a platform", async () => {
    const answer = await a.app.inject({ method: "GET", url: "/open/v1/draws/%ff" });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.json()).toMatchObject({ status: 404, code: "not_found" });
  });
});

test("a part of the address that is too long is refused by name", async () => {
  const url = `/open/v1/draws/${"x".repeat(10_000)}`;
  const answer = await a.app.inject({ method: "GET", url, headers: a.sign("GET", url, "") });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: "bad_input",
    errors: [{ field: "request_id", msg: "request_id 最多 64 个字符" }],
  });
});
