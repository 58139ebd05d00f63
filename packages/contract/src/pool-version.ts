/** Versions of a pool: every change of its prizes makes one (behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { id, paging, wholeNumber } from "./fields.ts";
import { guardCode } from "./guard.ts";
import { PAGE_SIZE_DEFAULT } from "./limits.ts";
import { PRIZE_VALUES } from "./prize.ts";
import { operator, route } from "./route.ts";

export const poolVersion = z.object({
  version: z.int(),
  /** Null for a version made before this was kept. */
  saved_by: z.nullable(z.string()),
  saved_at: z.string(),
  /** Against the version before; `fields` names what differs in a changed prize. */
  changes: z.array(
    z.object({
      change: z.enum(["added", "changed", "removed"]),
      award_name: z.string(),
      fields: z.array(z.keyof(z.object(PRIZE_VALUES))),
    }),
  ),
  prizes: z.array(z.object({ id: z.int(), ...PRIZE_VALUES })),
});
export type PoolVersion = z.output<typeof poolVersion>;

const byId = z.object({ id: id() });
const versionNumber = () => wholeNumber(1, 2_147_483_647);

export const poolVersionRoutes = {
  list: route({
    call: "GET /gred/api/pool/{id}/version",
    summary: "The versions of a pool, newest first: who, when, and what changed",
    ...operator("pool.read", "read"),
    params: byId,
    query: z.object(paging(PAGE_SIZE_DEFAULT)),
    data: listOf(poolVersion),
  }),
  restore: route({
    call: "POST /gred/api/pool/{id}/restore",
    summary: "Make a former version the next one; what was drawn stays, no total falls below it",
    ...operator("pool.write", "write"),
    params: byId,
    body: z.strictObject({
      version: versionNumber(),
      /** The pool's version as shown: another one answers 409. */
      current: z.optional(versionNumber()),
      code: guardCode(),
    }),
    data: z.object({ version: z.int() }),
  }),
};
