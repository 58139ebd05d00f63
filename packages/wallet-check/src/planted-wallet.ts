/**
 * Wallets for tests of the wallet check: one that keeps every rule, and for each rule some that break it. One
 * server runs them all; the first part of the path names the wallet.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { answerPlanted, KEY, problem, SECRET } from "./planted-answers.ts";
import type { Credit, Fault, State } from "./planted-answers.ts";
import { afterAll, beforeAll } from "vitest";

/** Runs the server for the tests of the file. */
export function usePlantedWallets() {
  const states = new Map<string, State>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const state = states.get(path.split("/")[1] ?? "");
    const reply =
      state === undefined
        ? problem(404, "no such wallet")
        : await answerPlanted(state, {
            method: request.method ?? "",
            path,
            headers: request.headers,
            body: await text(request),
          });
    response
      .writeHead(reply.status, {
        "content-type": reply.type ?? "application/json",
        ...(reply.location === undefined ? {} : { location: reply.location }),
      })
      .end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
  }

  const server = createServer((request, response) => void handle(request, response));
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    /** A new wallet with this fault, and its credits so far. */
    plant(fault: Fault) {
      const name = randomBytes(6).toString("hex");
      const state: State = {
        fault,
        nonces: new Set(),
        credits: [],
        refused: new Set(),
        processing: new Map(),
      };
      states.set(name, state);
      // A server on a port has an address of this type.
      const { port } = server.address() as AddressInfo;
      return {
        access: { url: `http://127.0.0.1:${port}/${name}`, key: KEY, secret: SECRET },
        credits: state.credits as readonly Credit[],
      };
    },
  };
}
