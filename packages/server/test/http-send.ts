/** Sends a raw call over a real connection and reads the whole answer. */
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

/** Set this when the server trusts one proxy for the caller's address. */
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
    // A server may refuse and close before it reads the whole body: only its answer counts.
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

export function closeConnections(): void {
  agent.destroy();
}
