/** The way to the wallet: lets calls through, holds them, breaks, or refuses every connection. */
import { once } from "node:events";
import { createServer, request as requestOf } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dig, parsed } from "../json.ts";

/** Stands before the wallet at `target`. */
export async function openGate(target: string) {
  let mode: "open" | "held" | "broken" = "open";
  let broken = 0;
  let held: (() => void)[] = [];
  const closed = new Set<string>();

  function reply(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  function forward(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    const { method = "", url = "", headers } = request;
    const onward = requestOf(`${target}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // An answer that the wallet loses is lost here too.
    onward.on("error", () => response.destroy());
    onward.end(body);
  }

  function judge(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    if (mode === "broken") {
      broken += 1;
      return reply(response, 500, { error: "out of order" });
    }
    const call = request.method === "POST" ? parsed(body.toString("utf8")) : null;
    if (closed.has(String(dig(call, "player_id")))) {
      const [trans_sn, amount] = [dig(call, "trans_sn"), dig(call, "amount")];
      return reply(response, 200, { status: "refused", trans_sn, amount, reason: "账户已销户" });
    }
    return forward(request, body, response);
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const pass = () => judge(request, Buffer.concat(chunks), response);
      if (mode === "held") {
        held.push(pass);
      } else {
        pass();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = Number(dig(server.address(), "port"));

  function shut(): void {
    server.close();
    server.closeAllConnections();
  }

  return {
    url: `http://127.0.0.1:${port}`,
    /** Players whose accounts are closed: every payout to them is refused. */
    closed,
    /** Calls that were answered 500. */
    broken: () => broken,
    shut,
    /** Listens again and answers 500 to everything. */
    async breakDown(): Promise<void> {
      mode = "broken";
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    hold(): void {
      mode = "held";
    },
    /** Lets everything through, also what was held. */
    open(): void {
      mode = "open";
      const waiting = held;
      held = [];
      for (const pass of waiting) {
        pass();
      }
    },
  };
}

export type Gate = Awaited<ReturnType<typeof openGate>>;
