/**
 * How many ingest calls this process takes on, so that they slow nobody else down (behaviour §9). One call
 * after the other: each keeps a processor of PostgreSQL busy for as long as it runs, and two of them would take
 * both of a small machine from the draws. Those that wait hold nothing but their bytes.
 */
import { AppError } from "@red/contract/errors";
import { INGEST_AT_ONCE_MAX } from "@red/contract/limits";

let entered = 0;
let last: Promise<unknown> = Promise.resolve();

/** Does the work of an ingest call when its turn comes. Throws `overloaded` when too many are before it. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (entered >= INGEST_AT_ONCE_MAX) {
    throw new AppError("overloaded", { seconds: 1 });
  }
  entered += 1;
  const working = last.then(work).finally(() => (entered -= 1));
  last = working.catch(() => {});
  return await working;
}
