/** A pool is a named set of prizes (behaviour §3, §11). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { byId, id, name, paging, say } from "#platform/fields";
import { NAME_LENGTH_MAX, PAGE_SIZE_DEFAULT, POOL_SAVE_ROWS_MAX } from "#platform/limits";
import { plain } from "#platform/marks";
import { PRIZE_VALUES, prizeCreate } from "./prize.ts";
import { operator, route } from "#platform/route";

export const pool = z.object({
  id: z.int(),
  pool_name: plain(),
  /** Number of prizes of the pool, and number of rounds that use the pool. */
  prizes: z.int(),
  rounds: z.int(),
  /** True if draws from this pool are stopped (behaviour §5). */
  stopped: z.boolean(),
});
export type Pool = z.output<typeof pool>;

const poolBody = z.strictObject({ pool_name: name("enter_pool_name", NAME_LENGTH_MAX) });

/** A prize and the version that the client read. If a newer version exists, the call returns 409. */
const readPrize = { id: id(), version: id() };
const rowsOf = <S extends z.ZodMiniType>(row: S) =>
  z
    .array(row, { error: ({ input }) => (input === undefined ? "required" : "not_a_list") })
    .check(z.maxLength(POOL_SAVE_ROWS_MAX, say("too_many", { max: POOL_SAVE_ROWS_MAX })));

/** A prize in a grid. A row without id is a new prize. */
export const poolSaveRow = z.extend(z.omit(prizeCreate, { pool_name: true }), {
  id: z.optional(readPrize.id),
  version: z.optional(readPrize.version),
});

/**
 * A pool as a grid. A prize that neither list names stays unchanged. Errors name the field as
 * `rows.<index>.<field>` or `removed.<index>.<field>`.
 */
export const poolSave = z.strictObject({
  ...poolBody.shape,
  /** True: the name must be unused. False or missing: the pool must exist. */
  is_new: z.optional(z.boolean({ error: "not_in_set" })),
  rows: rowsOf(poolSaveRow),
  removed: z.optional(rowsOf(z.strictObject(readPrize))),
});
export type PoolSave = z.output<typeof poolSave>;

/**
 * `changes` lists the differences from the previous version. `saved_by` is null for versions saved before
 * operators were recorded.
 */
const poolVersion = z.object({
  version: z.int(),
  saved_by: z.nullable(plain()),
  saved_at: plain(),
  changes: z.array(
    z.object({
      change: z.enum(["added", "changed", "removed"]),
      award_name: plain(),
      fields: z.array(z.keyof(z.object(PRIZE_VALUES))),
    }),
  ),
  prizes: z.array(z.object({ id: z.int(), ...PRIZE_VALUES })),
});
export type PoolVersion = z.output<typeof poolVersion>;

export const poolRoutes = {
  save: route({
    call: "POST /gred/api/pool/save",
    summary: "Save prizes of a pool at once, all or none: changed, new and removed ones",
    ...operator("pool.write", "write", "risk"),
    body: poolSave,
    data: z.object({ id: z.int(), added: z.int(), updated: z.int(), removed: z.int() }),
  }),
  versions: route({
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
    ...operator("pool.write", "write", "risk"),
    params: byId,
    /**
     * `current` is the version of the pool that the client shows. If the pool has another version, the call
     * returns 409.
     */
    body: z.strictObject({ version: id(), current: z.optional(id()) }),
    data: z.object({ version: z.int() }),
  }),
  list: route({
    call: "GET /gred/api/pool",
    summary: "All prize pools",
    ...operator("pool.read", "read"),
    data: listOf(pool),
  }),
  create: route({
    call: "POST /gred/api/pool",
    summary: "Add an empty pool",
    ...operator("pool.write", "write", "risk"),
    body: poolBody,
    data: z.object({ id: z.int() }),
  }),
  rename: route({
    call: "PUT /gred/api/pool/{id}",
    summary: "Rename a pool",
    ...operator("pool.write", "write", "risk"),
    params: byId,
    body: poolBody,
  }),
  remove: route({
    call: "DELETE /gred/api/pool/{id}",
    summary: "Delete a pool that no round uses",
    ...operator("pool.write", "write", "risk"),
    params: byId,
  }),
  copy: route({
    call: "POST /gred/api/pool/{id}/copy",
    summary: "Copy a pool with its prizes, stock full again",
    ...operator("pool.write", "write", "risk"),
    params: byId,
    body: poolBody,
    data: z.object({ id: z.int() }),
  }),
};
