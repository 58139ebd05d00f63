import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { dig, parsed, textAt } from "../outside/json.ts";
import { operatorOf } from "../outside/operator.ts";
import { askFor, inFlight, platformOf } from "../outside/platform.ts";
import { startPostgres } from "../outside/postgres.ts";
import { freePort, runRedctl, startSystem } from "../outside/server.ts";
import { bindAndSignIn } from "../outside/sign-in.ts";
import { makeOpenRound } from "./round.ts";

const ROOT = process.cwd();
const ADMIN = { username: "two-op", password: "a password for two servers" };
const STOCK = 300;
const ASKED = 480;

test("two servers on one PostgreSQL 15 draw from one pool to exactly its end", async () => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(path.join(tmpdir(), "red-two-"));
  const postgres = startPostgres(folder, await freePort());
  const ports = [await freePort(), await freePort()];
  const environment = (port: number) => ({
    PORT: String(port),
    DATA_DIR: path.join(folder, `data-${port}`),
    DATABASE_URL: postgres.url,
    SECRET_KEY: "both servers open what the other has sealed",
    LOG_LEVEL: "warn",
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_PASSWORD: ADMIN.password,
  });
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const systems = [];
  for (const [at, port] of ports.entries()) {
    const base = bases[at] ?? "";
    const own = path.join(folder, `data-${port}`);
    systems.push(await startSystem("node tools/start.mjs", ROOT, environment(port), base, own));
  }
  const [first = "", second = ""] = bases;
  const redctl = (args: string) =>
    runRedctl("node tools/redctl.mjs", ROOT, environment(ports[0] ?? 0), args);
  const key = parsed((await redctl("keys create --name two --scopes ingest,draw --json")).out);
  const signer = { key: textAt(key, "key"), secret: textAt(key, "secret") };
  const platforms = [platformOf(first, signer), platformOf(second, signer)] as const;

  // A session of one server is valid on the other.
  const { token } = await bindAndSignIn(first, ADMIN.username, ADMIN.password);
  const operator = operatorOf(second, token);
  const rounds_id = await makeOpenRound(operator, "两台", STOCK);
  const players = Array.from({ length: ASKED }, (_, at) => ({
    player_id: `two-${at}`,
    user_name: `two-${at}`,
  }));
  await platforms[0].call("POST", "/open/v1/players", { players });

  const answers = await inFlight(players, 64, ({ player_id }, at) =>
    platforms[at % 2 === 0 ? 0 : 1].draw(askFor(rounds_id, player_id)),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(STOCK);
  expect(answers.filter((answer) => answer.code === "sold_out")).toHaveLength(ASKED - STOCK);
  expect(await operator.records(rounds_id)).toHaveLength(STOCK);
  const verified = await redctl("verify --json");
  expect(dig(parsed(verified.out), "ok"), verified.out).toBe(true);

  for (const system of systems) {
    expect((await system.stop()).code).toBe(0);
  }
  postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});
