/** The envelope of every operator call, and how the console treats its codes (spec §8, behaviour §1). */
import * as z from "zod/mini";

export const SUCCESS = 200;

/**
 * Codes that the shared response handling accepts. The console shows every other code as an error and rejects
 * the call (spec §8).
 */
export const OK_CODES: ReadonlySet<number> = new Set([0, 200, 11, 407, 402]);

/** Codes for which the console shows the "logged out" dialog (spec §8). */
export const RELOGIN_CODES: ReadonlySet<number> = new Set([50008, 50012, 50014]);

/** The session cannot be renewed, so the console logs out and reloads (spec §8). */
export const LOGGED_OUT = 401;

export interface Envelope<D = unknown> {
  code: number;
  msg: string;
  data: D;
}

/** One error of the input. `field` is the name of a field; in a file, the row and column. */
export interface FieldFault {
  field: string;
  msg: string;
}

/** A page of a list: the rows of the page and the exact number of all matching rows. */
export function listOf<S extends z.ZodMiniType>(row: S) {
  return z.object({ content: z.array(row), total: z.int() });
}
