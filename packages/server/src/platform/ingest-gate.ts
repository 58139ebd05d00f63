/**
 * Runs ingest calls one at a time (behaviour §9): each keeps a processor of PostgreSQL busy, and two would
 * take both of a small machine from the draws. Waiting calls hold only their bytes.
 */
import { AppError } from "@red/contract/errors";
import { INGEST_AT_ONCE_MAX } from "@red/contract/limits";

let entered = 0;
let last: Promise<unknown> = Promise.resolve();

/** Runs `work` after the calls before it. Throws `overloaded` when too many wait. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (entered >= INGEST_AT_ONCE_MAX) {
    throw new AppError("overloaded", { seconds: 1 });
  }
  entered += 1;
  const working = last.then(work).finally(() => (entered -= 1));
  last = working.catch(() => {});
  return await working;
}
