/** Pool: a named set of prizes (behaviour §3, §11). */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { id, name } from "./fields.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { operator, route } from "./route.ts";

export const pool = z.object({
  id: z.int(),
  pool_name: z.string(),
  /** Numbers of its prizes, and of the rounds that use it. */
  prizes: z.int(),
  rounds: z.int(),
  /** Draws from this pool are stopped (behaviour §5). */
  stopped: z.boolean(),
});
export type Pool = z.output<typeof pool>;

const poolBody = z.strictObject({ pool_name: name("enter_pool_name", NAME_LENGTH_MAX) });
const byId = z.object({ id: id() });

export const poolRoutes = {
  list: route({
    call: "GET /gred/api/pool",
    summary: "All prize pools",
    ...operator("pool.read", "read"),
    data: listOf(pool),
  }),
  create: route({
    call: "POST /gred/api/pool",
    summary: "Add an empty pool",
    ...operator("pool.write", "write"),
    body: poolBody,
    data: z.object({ id: z.int() }),
  }),
  rename: route({
    call: "PUT /gred/api/pool/{id}",
    summary: "Rename a pool",
    ...operator("pool.write", "write"),
    params: byId,
    body: poolBody,
  }),
  remove: route({
    call: "DELETE /gred/api/pool/{id}",
    summary: "Delete a pool that no round uses",
    ...operator("pool.write", "write"),
    params: byId,
  }),
  copy: route({
    call: "POST /gred/api/pool/{id}/copy",
    summary: "Copy a pool with its prizes, stock full again",
    ...operator("pool.write", "write"),
    params: byId,
    body: poolBody,
    data: z.object({ id: z.int() }),
  }),
};
