/**
 * The opponents of `draws-http`, a process of its own: fastify routes with the product's check of signatures, which draw
 * with one transaction each, or answer a constant. Options as JSON in the first argument; prints its ports.
 */
import fastify from "fastify";
import type { FastifyRequest } from "fastify";
import { identifyKey, keyMemory, nonceMemory } from "../packages/server/src/identity/key-auth.ts";
import { ensureSecretKey } from "../packages/server/src/platform/config.ts";
import { openDb, openPool } from "../packages/server/src/platform/db/connection.ts";
import type { ConnectionConfig } from "../packages/server/src/platform/db/connection.ts";
import { secretBox } from "../packages/server/src/platform/secret-box.ts";
import { naive } from "./draws-opponents.ts";

export interface OpponentOptions {
  readonly connection: ConnectionConfig;
  /** Holds the secret key. */
  readonly dataDir: string;
  /** Database connections of the naive draws. */
  readonly clients: number;
}

export interface OpponentPorts {
  readonly naive: number;
  readonly bare: number;
}

// The bench that starts this process wrote the options.
const { connection, dataDir, clients } = JSON.parse(process.argv[2] ?? "") as OpponentOptions;
const pool = { max: 1, name: "bench keys", statementTimeoutMs: 0, onFault: () => {} };
const secrets = secretBox(ensureSecretKey(dataDir));
const keys = keyMemory(openDb(openPool(connection, pool)), secrets);
const deps = { keys, nonces: nonceMemory() };

const DRAWN = {
  log_id: 3_000_000_000_000,
  trans_sn: "0".repeat(32),
  rounds_id: 1,
  award_name: "奖品1",
  award_price: "0.88",
  type: "virtual",
  created_at: "2026-01-01T00:00:00.000+08:00",
};
const CHANCES = {
  total: 5_000,
  already: 1,
  remain: 4_999,
  next: { source: "deposit", missing: "100.00" },
};

/** Checks the signature and reads the body, as every route below does. */
async function read(request: FastifyRequest, scope: "draw" | "read"): Promise<unknown> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  await identifyKey(request, body, scope, deps);
  return body.length === 0 ? null : JSON.parse(body.toString());
}

/** Serves the calls on a free port; answers it. */
async function serve(draw: (player: number) => Promise<void>): Promise<number> {
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post("/open/v1/draws", async (request, reply) => {
    // The client of the bench wrote the body.
    const { player_id } = (await read(request, "draw")) as { readonly player_id: string };
    await draw(Number(player_id.slice(1)));
    return await reply.code(201).send(DRAWN);
  });
  app.get("/open/v1/rounds/:rounds_id/chances", async (request) => {
    await read(request, "read");
    return CHANCES;
  });
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
}

const drawer = await naive(connection, clients);
const ports: OpponentPorts = {
  naive: await serve((player) => drawer.draw(player)),
  bare: await serve(async () => {}),
};
process.stdout.write(`${JSON.stringify(ports)}\n`);
