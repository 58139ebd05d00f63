/** One call over a real connection, byte by byte as it was drafted, and its whole answer. */
import { Agent, request } from "node:http";
import type { IncomingHttpHeaders } from "node:http";
import type { RawCall } from "#test/contract-send";

export interface HttpAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const agent = new Agent({ keepAlive: true });

/** Sends the call to a server that believes one proxy about where a call comes from. */
export async function sendOverHttp(base: string, call: RawCall): Promise<HttpAnswer> {
  const { hostname, port } = new URL(base);
  const { method, payload } = call;
  const forwarded = call.address === undefined ? {} : { "x-forwarded-for": call.address };
  const headers = {
    ...call.headers,
    ...forwarded,
    ...(payload === null ? {} : { "content-length": payload.length }),
  };
  return await new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: call.url, headers });
    // A server that refuses a body may close before it has read it: its answer is what counts then.
    let hasAnswer = false;
    sent.on("error", (fault) => {
      if (!hasAnswer) {
        reject(fault);
      }
    });
    sent.on("response", (answer) => {
      hasAnswer = true;
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const { statusCode = 0, headers: answered } = answer;
        resolve({ method, status: statusCode, headers: answered, bytes: Buffer.concat(parts) });
      });
    });
    sent.end(payload ?? undefined);
  });
}

/** Closes the connections that are kept. */
export function closeConnections(): void {
  agent.destroy();
}
