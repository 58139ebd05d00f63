/** Calls a signed JSON API, once or until it answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { sign } from "./signing.ts";
import type { Credentials } from "./signing.ts";

export interface Peer extends Credentials {
  /** With or without a path, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Answer {
  readonly status: number;
  /** The parsed JSON; null when there was none. */
  readonly body: unknown;
  readonly retryAfterMs: number;
}

/** One call; `path` includes its query. */
export type Call = (method: "GET" | "POST", path: string, body: object | null) => Promise<Answer>;

const CALL_TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/** Null for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** One signed attempt. Throws when there is no answer, and when `signal` aborts. */
async function callOnce(
  peer: Peer,
  signal: AbortSignal,
  ...[method, path, body]: Parameters<Call>
): Promise<Answer> {
  const url = new URL(`${peer.baseUrl}${path}`);
  const text = body === null ? "" : JSON.stringify(body);
  const request = { method, path: `${url.pathname}${url.search}`, body: text };
  // AbortSignal.any would leave a listener on the long-lived signal for every call.
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  const timer = setTimeout(giveUp, CALL_TIMEOUT_MS);
  signal.addEventListener("abort", giveUp);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...sign(request, peer),
        ...(body === null ? {} : { "content-type": "application/json" }),
      },
      ...(body === null ? {} : { body: text }),
      redirect: "manual",
      signal: attempt.signal,
    });
    const seconds = Number(response.headers.get("retry-after") ?? "0");
    return {
      status: response.status,
      body: parseJson(await response.text()),
      retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}

/**
 * Calls that are repeated, each time newly signed, after no answer, an overload or a server error, with growing
 * pauses. Every write of the API may be repeated as it is. Throws only when `signal` aborts.
 */
export function callUntilAnswered(peer: Peer, signal: AbortSignal): Call {
  return async (...request) => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      signal.throwIfAborted();
      const answer = await callOnce(peer, signal, ...request).catch(() => null);
      if (answer !== null && answer.status < 500 && answer.status !== 429) {
        return answer;
      }
      const jitter = 0.75 + Math.random() / 2;
      await sleep(Math.max(pause * jitter, answer?.retryAfterMs ?? 0), undefined, { signal });
    }
  };
}
