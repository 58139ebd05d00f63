/** What went wrong, for a person at a terminal. */
import { AppError } from "@red/contract/errors";
import { text } from "@red/contract/texts";

/** One sentence about anything that was thrown. */
export function reasonOf(fault: unknown): string {
  if (fault instanceof AppError) {
    return text(fault.key, "en", fault.values);
  }
  // A name with several addresses fails with one fault for each, and no message of its own.
  if (fault instanceof AggregateError && fault.errors.length > 0) {
    return reasonOf(fault.errors[0]);
  }
  if (fault instanceof Error && fault.message !== "") {
    // `fetch failed` says nothing; what it was caused by does.
    return fault instanceof TypeError && fault.cause !== undefined
      ? `${fault.message}: ${reasonOf(fault.cause)}`
      : fault.message;
  }
  return String(fault);
}
