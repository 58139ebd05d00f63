/** A proxy between browser and system. On demand it holds, cuts, loses or answers a call. */
import { createServer, request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { once } from "node:events";
import { dig } from "../outside/json.ts";

type Act = () => void;

/** `deliver` decides when the answer goes to the browser. */
function forward(
  target: URL,
  request: IncomingMessage,
  response: ServerResponse,
  deliver = (answer: Act) => answer(),
): void {
  const onward = httpRequest(
    {
      host: target.hostname,
      port: target.port,
      method: request.method,
      path: request.url,
      headers: request.headers,
      // The system may close a kept connection at the moment of its reuse.
      agent: false,
    },
    (answer) =>
      deliver(() => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
  );
  onward.on("error", (fault) => {
    if (!response.headersSent) {
      response.writeHead(502);
    }
    response.end(`switchboard: ${fault.message}`);
  });
  response.on("close", () => onward.destroy());
  request.pipe(onward);
}

export async function openSwitchboard(system: string) {
  const target = new URL(system);
  let swallowed: string | null = null;
  let answered: object = {};
  let broken: string | null = null;
  let held: RegExp | null = null;
  let heldPart: "call" | "answer" = "call";
  let heldWith: string | undefined;
  let lost: string | null = null;
  const waiting: Act[] = [];
  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (`${request.method} ${path}` === broken) {
      request.socket.destroy();
    } else if (lost !== null && path.startsWith(lost)) {
      response.writeHead(404).end();
    } else if (`${request.method} ${path}` === swallowed) {
      request.resume();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answered));
    } else if (
      held?.test(`${request.method} ${path}`) === true &&
      (heldWith === undefined || heldWith in request.headers)
    ) {
      const wait = (act: Act) => {
        // The client may have gone away meanwhile.
        waiting.push(() => (response.destroyed ? undefined : act()));
        // The call may have been released before its answer came.
        if (held === null) {
          waiting.pop()?.();
        }
      };
      if (heldPart === "answer") {
        forward(target, request, response, wait);
      } else {
        wait(() => forward(target, request, response));
      }
    } else {
      forward(target, request, response);
    }
  }).listen(0, "127.0.0.1");
  // Longer than the passed-on header of the system promises: otherwise clients would send on a connection that is
  // being closed.
  server.keepAliveTimeout = 600_000;
  await once(server, "listening");
  return {
    base: `http://127.0.0.1:${Number(dig(server.address(), "port"))}`,
    /** From now on this call, such as `GET /gred/api/pool`, is answered with `data` here, or refused; null passes all. */
    swallow: (call: string | null, data: object = {}, refused: object = {}): void => {
      swallowed = call;
      answered = { code: 200, msg: "success", ...refused, data };
    },
    /** From now on the connection of this call breaks before its answer; null passes all. */
    cut: (call: string | null): void => {
      broken = call;
    },
    /** From now on this call, such as `PUT /gred/api/prize/{id}`, if it has the header, or its answer, waits here; null releases all. */
    hold: (call: string | null, part: "call" | "answer" = "call", header?: string): void => {
      heldWith = header;
      held = call === null ? null : new RegExp(`^${call.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      heldPart = part;
      if (call === null) {
        waiting.splice(0).forEach((passOn) => passOn());
      }
    },
    /** From now on nothing is found below this path, such as `/red/assets/`; null passes all. */
    lose: (below: string | null): void => {
      lost = below;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
