import { readdir } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { makeFolder } from "#test/folder";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDownloads } from "./download-files.ts";

let folder = "";
let running = 0;
let most = 0;
const app = fastify();

/** Yields content slowly and then throws `fault`, if given. */
async function* slowly(fault: Error | null): AsyncGenerator<string> {
  running += 1;
  most = Math.max(most, running);
  try {
    yield "some ";
    await sleep(50);
    if (fault !== null) {
      throw fault;
    }
    yield "content";
  } finally {
    running -= 1;
  }
}

async function answered(fault: Error | null) {
  return await app.inject(fault === null ? "/whole" : "/broken");
}

const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });

beforeEach(() => {
  folder = makeFolder();
  const downloads = openDownloads({ folder, atOnce: 2 });
  for (const [route, fault] of [
    ["/whole", null],
    ["/broken", full],
  ] as const) {
    app.get(
      route,
      async (_request, reply) =>
        await downloads.send(reply, async () => ({
          filename: "发.csv",
          type: "text/csv",
          content: Readable.from(slowly(fault), { objectMode: false }),
        })),
    );
  }
});

afterEach(() => app.close());

test("makes two at a time, sends nothing of a broken one, and leaves no file", async () => {
  const answers = await Promise.all([null, full, null, null].map(answered));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200, 200]);
  expect(answers.map(({ body }) => body === "some content")).toEqual([true, false, true, true]);
  expect(answers[0]?.headers["content-length"]).toBe("12");
  expect(answers[1]?.json()).toMatchObject({ message: "disk_full" });
  expect(answers[1]?.headers).not.toHaveProperty("content-disposition");
  expect(most).toBe(2);
  expect(await readdir(folder)).toEqual([]);
});
