/** Keeps guessing slow, and nobody out who has guessed nothing (decision 0014). */
import { setTimeout } from "node:timers/promises";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import { addressGroup } from "#platform/address-group";

/** Beyond so many names the one that was counted longest ago is forgotten. */
const NAMES_MAX = 10_000;

/** Counts by name, each up to `max`; every `fadeMs` one of them fades away. */
export function fadingCounts(fadeMs: number, max: number) {
  const counts = new Map<string, { count: number; at: number }>();
  const countOf = (name: string) => {
    const { count, at } = counts.get(name) ?? { count: 0, at: 0 };
    return Math.max(0, count - (Date.now() - at) / fadeMs);
  };
  return {
    of: countOf,
    /** Counts so many more, and answers what it comes to. */
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

/** How a token, a key or a signature is refused that somebody may have guessed. */
const WRONG: ReadonlySet<ErrorKey> = new Set([
  "token_unknown",
  "token_malformed",
  "ticket_spent",
  "key_unknown",
  "signature_invalid",
]);

/** Answered at once: a console whose session is long gone asks several things. */
const FREE = 10;
const STEP_MS = 100;
const STEPS_MAX = 30;
const FADE_MS = 10_000;
/** Refusals of one address that wait and are then told as what they are; the others are told 429. */
const TOLD_MAX = 8;
/** Refusals of one address that wait at all. */
const WAITING_MAX = 64;

/**
 * Resolves, when a refusal may be answered, with the error to answer. From the eleventh wrong token, key
 * or signature of an address on that is 100 ms later each time, up to three seconds; one is forgotten
 * every ten seconds. While eight of the address wait, a further one is answered `too_many_requests` after
 * the same pause; while 64 wait, null says to hang up. What is right is never asked about here.
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
    const others = waiting.filter((one) => one === address).length;
    if (others >= WAITING_MAX) {
      return null;
    }
    waiting.push(address);
    await setTimeout(delayMs);
    waiting.splice(waiting.indexOf(address), 1);
    return others < TOLD_MAX ? error : new AppError("too_many_requests", { seconds: 1 });
  };
}
