/** A platform that receives messages and checks their signatures by a library that is not ours. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";
import { Webhook } from "standardwebhooks";

export interface ReceivedMessage {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Receiver {
  readonly received: ReceivedMessage[];
  /** Of the answers from now on; null never answers. */
  status: number | null;
  /** As it was shown once. */
  secret: string;
  /** Calls without an answer. */
  waiting: number;
  /** Listens, at the same port again after `stop`; answers the address. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** Counts only messages whose signature holds; any other is answered 401. */
export function useReceiver(): Receiver {
  let port = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (receiver.status === null) {
      receiver.waiting += 1;
      response.on("close", () => {
        receiver.waiting -= 1;
      });
      return;
    }
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    try {
      // Its shape is what the tests are about.
      const message = new Webhook(receiver.secret).verify(body, headers) as ReceivedMessage;
      receiver.received.push({ ...message, id: headers["webhook-id"] ?? "" });
      response.writeHead(receiver.status, { location: "/elsewhere" }).end();
    } catch (fault) {
      response.writeHead(401).end(String(fault));
    }
  });
  // Longer than the sender keeps a connection.
  server.keepAliveTimeout = 60_000;
  const receiver: Receiver = {
    received: [],
    status: 200,
    secret: "",
    waiting: 0,
    async start() {
      await new Promise<void>((resolve) => {
        server.listen(port, "127.0.0.1", resolve);
      });
      // It listens on a port, so its address is not a path.
      ({ port } = server.address() as AddressInfo);
      return `http://127.0.0.1:${port}/hooks`;
    },
    async stop() {
      const stopped = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await stopped;
    },
  };
  afterAll(() => receiver.stop());
  return receiver;
}
