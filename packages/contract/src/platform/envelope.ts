/** The envelope of every operator call, and how its codes are judged (spec §8, behaviour §1). */
import * as z from "zod/mini";

export const SUCCESS = 200;

/** Codes that the shared handling passes on; all others are shown as errors and rejected (spec §8). */
export const OK_CODES: ReadonlySet<number> = new Set([0, 200, 11, 407, 402]);

/** Codes that show the "logged out" dialog (spec §8). */
export const RELOGIN_CODES: ReadonlySet<number> = new Set([50008, 50012, 50014]);

/** The session cannot be renewed: log out and reload (spec §8). */
export const LOGGED_OUT = 401;

export interface Envelope<D = unknown> {
  code: number;
  msg: string;
  data: D;
}

/** One fault of the input, named by field (or by row and column for a file). */
export interface FieldFault {
  field: string;
  msg: string;
}

/** A page of a list: the rows and the exact count of all matches. */
export function listOf<S extends z.ZodMiniType>(row: S) {
  return z.object({ content: z.array(row), total: z.int() });
}
