/** Addresses that no route can have: answered as any unknown one, in the form of their family. */
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const a = useTestApp(useTestDb());

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
