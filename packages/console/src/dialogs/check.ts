/** Checks a body against the contract before it is sent, with the texts that the server would say. */
import { faultsOf } from "@red/contract/faults";
import type * as z from "zod/mini";
import { ApiError } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";

/** Throws the refusal that the server would answer; nothing has been sent then, nothing toasted. */
export function assertBody(schema: z.ZodMiniType, body: unknown): void {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const errors = faultsOf(parsed.error.issues, currentLanguage());
    throw new ApiError(errors[0].msg, null, { errors });
  }
}
