/** A platform that receives messages and checks their signatures with a third-party library. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
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
  /** Status of the answers from now on. */
  status: number;
  /** The secret, as it was shown once. */
  secret: string;
  /** Listens, after `stop` at the same port again; returns the address. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

/** Counts only messages with a valid signature; answers 401 to others. */
export function useReceiver(): Receiver {
  let port = 0;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    try {
      // The tests check its shape.
      const message = new Webhook(receiver.secret).verify(body, headers) as ReceivedMessage;
      receiver.received.push({ ...message, id: headers["webhook-id"] ?? "" });
      response.writeHead(receiver.status, { location: "/elsewhere" }).end();
    } catch (fault) {
      response.writeHead(401).end(String(fault));
    }
  };
  const server = createServer((request, response) => {
    // A killed sender leaves half a request.
    take(request, response).catch(() => response.destroy());
  });
  // Longer than the sender keeps a connection.
  server.keepAliveTimeout = 60_000;
  const receiver: Receiver = {
    received: [],
    status: 200,
    secret: "",
    async start() {
      await once(server.listen(port, "127.0.0.1"), "listening");
      // It listens on a port, so its address is not a path.
      ({ port } = server.address() as AddressInfo);
      return `http://127.0.0.1:${port}/hooks`;
    },
    async stop() {
      const stopped = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await stopped;
    },
  };
  afterAll(() => receiver.stop());
  return receiver;
}
