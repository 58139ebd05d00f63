/**
 * One HTTP request and its answer, bounded in every way: total time, size, no redirect followed, no
 * second try. A connection is used again only after an answer that made sense, so that a peer which
 * answers once too often cannot shift its answers onto other requests.
 */
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { failpoint } from "#platform/failpoint";

const ANSWER_BYTES_MAX = 65_536;
/** Shorter than what servers keep idle connections for, or a call meets one that is just closing. */
const IDLE_MS = 3_000;

export interface ExchangeRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A whole answer, or why there is none. */
export type Exchanged =
  | {
      readonly status: number;
      readonly body: string;
      /** Of the header, as it came. */
      readonly retryAfter: string | null;
    }
  | { readonly missing: "timeout" | "too long" | "stopped" | `connection ${string}` };

/** What the caller makes of it; the connection is kept when it `isSound`. */
export interface Reading<T> {
  readonly value: T;
  readonly isSound: boolean;
}

export interface Exchanger {
  /** Never rejects: whatever happens is handed to `read`, once. */
  exchange<T>(
    request: ExchangeRequest,
    signal: AbortSignal,
    read: (exchanged: Exchanged) => Reading<T>,
  ): Promise<T>;
  /** Closes idle connections. */
  close(): void;
}

function collect(
  response: IncomingMessage,
  bytesMax: number,
  finish: (exchanged: Exchanged) => void,
  fail: (fault: unknown) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > bytesMax) {
      finish({ missing: "too long" });
    } else {
      chunks.push(chunk);
    }
  });
  response.on("end", () => {
    finish({
      status: response.statusCode ?? 0,
      body: Buffer.concat(chunks).toString("utf8"),
      retryAfter: response.headers["retry-after"] ?? null,
    });
  });
  // Cut off before its end: what came so far is no answer.
  response.on("error", fail);
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && "code" in fault ? String(fault.code) : "failed";
}

/** An exchanger whose every exchange ends within `deadlineMs` and `bytesMax`, a slow body included. */
export function createExchanger(
  deadlineMs: number,
  bytesMax: number = ANSWER_BYTES_MAX,
): Exchanger {
  const options = { keepAlive: true, timeout: IDLE_MS };
  const plain = new HttpAgent(options);
  const sealed = new HttpsAgent(options);

  function exchange<T>(
    { method, url, headers, body }: ExchangeRequest,
    signal: AbortSignal,
    read: (exchanged: Exchanged) => Reading<T>,
  ): Promise<T> {
    return new Promise((resolve) => {
      const isSealed = url.protocol === "https:";
      const agent = isSealed ? sealed : plain;
      const request = (isSealed ? httpsRequest : httpRequest)(url, { method, headers, agent });
      let socket: Socket | null = null;
      let isFinished = false;

      const finish = (exchanged: Exchanged) => {
        if (isFinished) {
          return;
        }
        isFinished = true;
        clearTimeout(deadline);
        signal.removeEventListener("abort", stop);
        const { value, isSound } = read(exchanged);
        if (!isSound) {
          request.destroy();
          // After the end of an answer the request has let go of its connection already.
          socket?.destroy();
        }
        resolve(value);
      };
      const fail = (fault: unknown) => finish({ missing: `connection ${codeOf(fault)}` });
      const stop = () => finish({ missing: "stopped" });
      const deadline = setTimeout(() => finish({ missing: "timeout" }), deadlineMs);

      signal.addEventListener("abort", stop);
      request.on("socket", (used) => {
        socket = used;
      });
      request.on("error", fail);
      request.on("finish", () => failpoint("call_sent"));
      request.on("response", (response) => collect(response, bytesMax, finish, fail));
      request.end(body);
      if (signal.aborted) {
        stop();
      }
    });
  }

  return {
    exchange,
    close() {
      plain.destroy();
      sealed.destroy();
    },
  };
}
