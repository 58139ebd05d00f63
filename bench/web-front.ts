/**
 * One address for both pages, so that both reach the server in the same way: /plain/ is the built antd page,
 * brotli-packed like the console; the rest is passed on.
 */
import { readFileSync, readdirSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { numberAt } from "../e2e/outside/json.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

interface Packed {
  readonly type: string;
  readonly body: Buffer;
}

function packed(folder: string): Map<string, Packed> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[path.extname(name)];
      return type === undefined
        ? []
        : [
            [
              `/plain/${name}`,
              { type, body: brotliCompressSync(readFileSync(path.join(folder, name))) },
            ],
          ];
    }),
  );
}

export interface Front {
  readonly base: string;
  close(): Promise<void>;
}

/** Serves the page built into `folder`, and passes the rest to the server at `behind`. */
export async function openFront(folder: string, behind: string): Promise<Front> {
  const files = packed(folder);
  const agent = new Agent({ keepAlive: true });
  const target = new URL(behind);
  const pass = (asked: IncomingMessage, reply: ServerResponse) => {
    const passed = request(
      {
        agent,
        host: target.hostname,
        port: target.port,
        method: asked.method,
        path: asked.url,
        headers: asked.headers,
      },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
      },
    );
    passed.once("error", () => reply.destroy());
    asked.pipe(passed);
  };
  const server = createServer((asked, reply) => {
    const [name = ""] = (asked.url ?? "").split("?", 1);
    const file = files.get(name === "/plain/" ? "/plain/index.html" : name);
    if (file === undefined) {
      pass(asked, reply);
      return;
    }
    reply.writeHead(200, { "content-type": file.type, "content-encoding": "br" }).end(file.body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    base: `http://127.0.0.1:${numberAt(server.address(), "port")}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, "close");
    },
  };
}
