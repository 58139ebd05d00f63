import { packAnswers } from "./console.ts";
import fastify from "fastify";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";

const LIST = { content: Array.from({ length: 100 }, (_, id) => ({ id, name: `round ${id}` })) };

async function appOf() {
  const app = fastify();
  await packAnswers(app);
  for (const url of [
    "/gred/api/act/list",
    "/gred/api/user/info",
    "/open/v1/rounds",
    "/gred/api/record/export",
  ]) {
    app.get(url, async () => LIST);
  }
  app.get("/gred/api/stop", async () => ({ content: [] }));
  await app.ready();
  return app;
}

async function ask(url: string, accepted: string) {
  const app = await appOf();
  const answer = await app.inject({ url, headers: { "accept-encoding": accepted } });
  await app.close();
  return answer;
}

test("answers to operators are compressed as the browser prefers, and vary by encoding", async () => {
  const brotli = await ask("/gred/api/act/list", "gzip, deflate, br, zstd");
  expect(brotli.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
  expect(brotli.rawPayload.length).toBeLessThan(JSON.stringify(LIST).length / 4);
  expect(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString())).toEqual(LIST);
  const zipped = await ask("/gred/api/act/list", "gzip");
  expect(zipped.headers["content-encoding"]).toBe("gzip");
  expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(LIST);
});

test.each([
  ["for a caller that unpacks nothing", "/gred/api/act/list", "identity"],
  ["that are short", "/gred/api/stop", "br"],
  ["with somebody's request token", "/gred/api/user/info", "br"],
  ["to platforms", "/open/v1/rounds", "br"],
  ["that are files", "/gred/api/record/export", "br"],
])("answers stay as they are %s", async (_why, url, accepted) => {
  const answer = await ask(url, accepted);
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(answer.json()).toBeTypeOf("object");
});
