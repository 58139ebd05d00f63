/** Runs the wallet adapter recipe of docs/integration.md as printed, with other ports, folders and database. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { databaseUrl } from "#test/database-url";
import { REPOSITORY } from "#test/entry-process";
import { makeFolder } from "#test/folder";
import { useTestDb } from "#test/test-db";
import { afterAll, expect, test } from "vitest";

const t = useTestDb();
const folder = makeFolder(afterAll);
const shells: (() => Promise<void>)[] = [];

afterAll(async () => {
  await Promise.all(shells.map((end) => end()));
});

function recipe(): [start: string, serve: string, draw: string] {
  const page = readFileSync(path.join(REPOSITORY, "docs/integration.md"), "utf8");
  const section = page.split("\n### An adapter to start from\n")[1]?.split("\n## ")[0] ?? "";
  const blocks = [...section.matchAll(/```sh\n([^]+?)```/g)].map(([, lines = ""]) => lines);
  const [start = "", serve = "", draw = ""] = blocks;
  expect(blocks).toHaveLength(3);
  return [start, serve, draw];
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this type.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Starts a shell in the repository. The processes of the shell end with it. */
function terminal(lines: string) {
  const child = spawn("sh", ["-eu"], {
    cwd: REPOSITORY,
    detached: true,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      DATABASE_URL: databaseUrl(t.connection),
      LOG_LEVEL: "fatal",
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out = text(child.stdout);
  const err = text(child.stderr);
  const closed = once(child, "close");
  shells.push(async () => {
    if (child.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, "SIGKILL");
      await closed;
    }
  });
  child.stdin.end(lines);
  return { out, err, closed };
}

async function awaitAnswer(url: string, ended: Promise<unknown>): Promise<void> {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (;;) {
    const answer = await fetch(url).catch(() => null);
    if (answer !== null) {
      await answer.arrayBuffer();
      return;
    }
    if (isOver) {
      throw new Error(`the terminal ended before ${url} answered`);
    }
    await sleep(200);
  }
}

test(
  "the recipe for a wallet of one's own ends with a draw that it paid",
  { timeout: 300_000 },
  async () => {
    const [walletPort, serverPort] = [await freePort(), await freePort()];
    const here = (lines: string) =>
      lines
        .replaceAll("9090", String(walletPort))
        .replaceAll("8090", String(serverPort))
        .replaceAll(/(?:\.\/)?\bdata\//g, `${folder}/`)
        // This starts the same program without building it first.
        .replace("npm start", "exec node --import tsx packages/server/src/main.ts");
    const [start, serve, draw] = recipe().map(here);
    // wallet-check.test.ts already runs the checks of the adapter.
    const wallet = (start ?? "").replaceAll(/^npm run .*\n/gm, "");
    const first = terminal(`${wallet}${serve ?? ""}`);
    await awaitAnswer(`http://127.0.0.1:${serverPort}/healthz`, first.closed);

    const second = terminal(draw ?? "");
    const [code] = (await second.closed) as [number | null];
    const [out, err] = [await second.out, await second.err];
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^award_status: 1$/m);
    const [, drawn = ""] = /^drawn: .*"trans_sn":"(\w+)"/m.exec(out) ?? [];
    expect(JSON.parse(out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
      trans_sn: drawn,
      player_id: "example-sh",
      amount: "8.88",
    });
  },
);
