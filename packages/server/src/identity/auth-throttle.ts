/** Slows down callers that guess tokens, keys or signatures, and nobody else (decision 0014). */
import { setTimeout } from "node:timers/promises";
import { AppError } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import { addressGroup } from "#platform/http/address-group";

/** Maximum number of names in memory. Above it, the name that was counted longest ago is removed. */
const NAMES_MAX = 10_000;

/** Counts by name, each up to `max`. A count falls by one every `fadeMs`. */
export function fadingCounts(fadeMs: number, max: number) {
  const counts = new Map<string, { count: number; at: number }>();
  const countOf = (name: string) => {
    const { count, at } = counts.get(name) ?? { count: 0, at: 0 };
    return Math.max(0, count - (Date.now() - at) / fadeMs);
  };
  return {
    of: countOf,
    add(name: string, more = 1): number {
      const count = Math.min(max, countOf(name) + more);
      counts.delete(name);
      counts.set(name, { count, at: Date.now() });
      const [oldest = name] = counts.size > NAMES_MAX ? counts.keys() : [];
      if (oldest !== name) {
        counts.delete(oldest);
      }
      return count;
    },
  };
}

const WRONG: ReadonlySet<ErrorKey> = new Set([
  "token_unknown",
  "token_malformed",
  "ticket_spent",
  "key_unknown",
  "signature_invalid",
]);

/** Number of errors without a delay. A console with an expired session makes several calls at once. */
const FREE = 10;
const STEP_MS = 100;
const STEPS_MAX = 30;
const FADE_MS = 10_000;
/** Number of waiting errors per address that are sent unchanged. Further callers get status 429. */
const ANSWERED_MAX = 8;
/** Above this number of waiting errors per address, the connection is closed. */
const WAITING_MAX = 64;

/**
 * Delays an error and returns the error to send, or null to close the connection. From the eleventh wrong token, key or
 * signature of an address, each delay is 100 ms longer, up to three seconds; the count falls by one every ten seconds.
 */
export function slowGuesses(): (error: AppError, ip: string) => Promise<AppError | null> {
  const wrong = fadingCounts(FADE_MS, FREE + STEPS_MAX);
  const waiting: string[] = [];
  return async (error, ip) => {
    const address = addressGroup(ip);
    const delayMs = WRONG.has(error.key) ? STEP_MS * (wrong.add(address) - FREE) : 0;
    if (delayMs <= 0) {
      return error;
    }
    const others = waiting.filter((waiter) => waiter === address).length;
    if (others >= WAITING_MAX) {
      return null;
    }
    waiting.push(address);
    await setTimeout(delayMs);
    waiting.splice(waiting.indexOf(address), 1);
    return others < ANSWERED_MAX ? error : new AppError("too_many_requests", { seconds: 1 });
  };
}
