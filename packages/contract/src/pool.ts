/** Pool: a named set of prizes (behaviour §3, §11). */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { id, name } from "./fields.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { route } from "./route.ts";

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
    method: "GET",
    path: "/gred/api/pool",
    summary: "All prize pools",
    auth: { by: "operator", permission: "pool.read" },
    access: "read",
    data: listOf(pool),
  }),
  create: route({
    method: "POST",
    path: "/gred/api/pool",
    summary: "Add an empty pool",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    body: poolBody,
    data: z.object({ id: z.int() }),
  }),
  rename: route({
    method: "PUT",
    path: "/gred/api/pool/{id}",
    summary: "Rename a pool",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    params: byId,
    body: poolBody,
    data: z.null(),
  }),
  remove: route({
    method: "DELETE",
    path: "/gred/api/pool/{id}",
    summary: "Delete a pool that no round uses",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    params: byId,
    data: z.null(),
  }),
  copy: route({
    method: "POST",
    path: "/gred/api/pool/{id}/copy",
    summary: "Copy a pool with its prizes, stock full again",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    params: byId,
    body: poolBody,
    data: z.object({ id: z.int() }),
  }),
};
