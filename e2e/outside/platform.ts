/** The platform's side: signed calls, many of them in flight at once. */
import { randomUUID } from "node:crypto";
import { dig, parsed } from "./json.ts";
import { signedHeaders } from "./signature.ts";
import type { Key } from "./signature.ts";

export interface Answer {
  /** 0: the connection broke before the answer. */
  readonly status: number;
  readonly text: string;
  /** `code` of a refusal, else null. */
  readonly code: unknown;
  readonly body: unknown;
}

export interface Ask {
  readonly request_id: string;
  readonly rounds_id: number;
  readonly player_id: string;
}

export function askFor(rounds_id: number, player_id: string): Ask {
  return { request_id: randomUUID(), rounds_id, player_id };
}

/** Runs `work` for every item, at most `width` in parallel; results in order. */
export async function inFlight<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  async function lane(): Promise<void> {
    for (const [index, item] of entries) {
      results[index] = await work(item, index);
    }
  }
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

export function platformOf(base: string, key: Key) {
  async function call(method: "GET" | "POST", path: string, body: object | null): Promise<Answer> {
    const text = body === null ? "" : JSON.stringify(body);
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: signedHeaders(key, method, path, text),
        ...(body === null ? {} : { body: text }),
      });
      const heard = await response.text();
      const found = parsed(heard);
      return {
        status: response.status,
        text: heard,
        code: response.ok ? null : dig(found, "code"),
        body: found,
      };
    } catch {
      return { status: 0, text: "", code: null, body: null };
    }
  }
  return {
    call,
    /** Registers players whose accounts are called like their ids. */
    register: (...ids: readonly string[]) => {
      const players = ids.map((id) => ({ player_id: id, user_name: id }));
      return call("POST", "/open/v1/players", { players });
    },
    draw: (ask: Ask) => call("POST", "/open/v1/draws", ask),
  };
}

export type Platform = ReturnType<typeof platformOf>;
