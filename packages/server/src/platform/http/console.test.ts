import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { makeFolder } from "#test/folder";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { afterAll, expect, test } from "vitest";

const folder = makeFolder(afterAll);

const FILES = {
  "index.html": "<title>console</title>",
  "guide/index.html": "<title>guide</title>",
  "assets/main-1a2b.js": "export {};",
};
for (const [name, text] of Object.entries(FILES)) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  writeFileSync(`${file}.br`, brotliCompressSync(text));
  writeFileSync(`${file}.gz`, gzipSync(text));
}

const a = useTestApp(useTestDb(), { consoleFolder: folder });
const get = async (url: string, headers: Record<string, string> = {}) =>
  await a.app.inject({ url, headers });

test.each(["/red/", "/red/index.html", "/red/login", "/red/activities/7?x=1.5"])(
  "%s is the page, asked for each time, with the headers of a page",
  async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: FILES["index.html"] });
    expect(headers).toMatchObject({
      "cache-control": "no-cache",
      "content-type": "text/html; charset=utf-8",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(
        /base-uri 'none'.*frame-ancestors 'none'.*object-src 'none';script-src 'self';/,
      ),
    });
    const again = await get(url, { "if-none-match": String(headers["etag"]) });
    expect(again).toMatchObject({ statusCode: 304, body: "" });
  },
);

test("a script is cached, compressed, and has no headers of a page but that against framing", async () => {
  const url = "/red/assets/main-1a2b.js";
  const { headers, rawPayload } = await get(url, { "accept-encoding": "gzip, deflate, br" });
  expect(rawPayload).toEqual(brotliCompressSync(FILES["assets/main-1a2b.js"]));
  expect(headers).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-encoding": "br",
    "content-type": "application/javascript; charset=utf-8",
    vary: "accept-encoding",
    "content-length": "14",
    "content-security-policy": "frame-ancestors 'none'",
  });
  for (const name of ["x-frame-options", "x-request-id"]) {
    expect(headers).not.toHaveProperty(name);
  }
  expect((await get(url, { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
  expect((await get(url)).body).toBe(FILES["assets/main-1a2b.js"]);
});

test("a build under the running server is served whole", async () => {
  writeFileSync(path.join(folder, "assets/main-5e6f.js"), "export default 1;");
  expect((await get("/red/assets/main-5e6f.js")).body).toBe("export default 1;");
});

test("the guide is a page of its own, under the name of its folder", async () => {
  expect((await get("/red/guide/")).body).toBe(FILES["guide/index.html"]);
  for (const [from, to] of Object.entries({
    "/": "/red/",
    "/red": "/red/",
    "/red/guide": "/red/guide/",
  })) {
    expect(await get(from)).toMatchObject({ statusCode: 302, headers: { location: to } });
  }
});

test.each([
  "/red/assets/main-9z.js",
  "/red/main.js.br",
  "/red/assets/%2e%2e/%2e%2e/package.json",
  "/red/%ff.js",
  "/red/%2e%2e/package.json",
  "/red/record/list/x",
])("%s is not there", async (url) => {
  const { statusCode, headers } = await get(url);
  expect(statusCode).toBe(404);
  expect(headers["content-type"]).toContain("application/json");
});
