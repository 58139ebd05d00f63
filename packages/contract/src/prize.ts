/** Prize of a pool: weight, stock, price; price 0.00 means physical (spec §3, §5; behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { amount, filterText, id, name, numberCode, paging, wholeNumber } from "./fields.ts";
import {
  AWARD_NAME_LENGTH_MAX,
  AWARD_TOTAL_MAX,
  LOOKUP_SIZE,
  NAME_LENGTH_MAX,
  WEIGHT_MAX,
} from "./limits.ts";
import { route } from "./route.ts";

export const prize = z.object({
  id: z.int(),
  pool_name: z.string(),
  award_name: z.string(),
  award_price: z.string(),
  weight: z.int(),
  award_total: z.int(),
  drawn: z.int(),
  remaining: z.int(),
  floors: z.literal([0, 1]),
});
export type Prize = z.output<typeof prize>;

/** The fields of the form, in the order in which the specification checks them (spec §5). */
const formShape = {
  award_name: name("enter_award_name", AWARD_NAME_LENGTH_MAX),
  weight: wholeNumber(0, WEIGHT_MAX, "enter_weight"),
  award_total: wholeNumber(0, AWARD_TOTAL_MAX, "enter_award_total"),
  award_price: amount("enter_award_price"),
  floors: numberCode([0, 1], "choose_floors"),
  pool_name: name("enter_pool_name", NAME_LENGTH_MAX),
};

export const prizeCreate = z.strictObject(formShape);
export const prizeUpdate = z.strictObject({ ...formShape, id: z.optional(id()) });

const byPool = { pool_name: filterText() };
const byId = z.object({ id: id() });

export const prizeRoutes = {
  list: route({
    method: "GET",
    path: "/gred/api/prize/list",
    summary: "Prizes of a pool",
    auth: { by: "operator", permission: "pool.read" },
    access: "read",
    query: z.object({ ...byPool, ...paging(LOOKUP_SIZE) }),
    data: listOf(prize),
  }),
  totals: route({
    method: "GET",
    path: "/gred/api/prize/retotal",
    summary: "Total count and total weight of a pool",
    auth: { by: "operator", permission: "pool.read" },
    access: "read",
    query: z.object(byPool),
    data: z.array(z.object({ prize_total: z.int(), weight_total: z.int() })),
  }),
  detail: route({
    method: "GET",
    path: "/gred/api/prize/{id}/edit",
    summary: "One prize, for its form",
    auth: { by: "operator", permission: "pool.read" },
    access: "read",
    params: byId,
    data: prize,
  }),
  create: route({
    method: "POST",
    path: "/gred/api/prize",
    summary: "Add a prize; a new pool_name creates the pool too",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    body: prizeCreate,
    data: z.object({ id: z.int() }),
  }),
  update: route({
    method: "PUT",
    path: "/gred/api/prize/{id}",
    summary: "Save a prize; records keep the prize as it was",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    params: byId,
    body: prizeUpdate,
    data: z.null(),
  }),
  addStock: route({
    method: "PUT",
    path: "/gred/api/prize/{id}/stock",
    summary: "Raise the total of a prize",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    params: byId,
    body: z.strictObject({ add: wholeNumber(1, AWARD_TOTAL_MAX) }),
    data: z.object({ award_total: z.int() }),
  }),
  remove: route({
    method: "DELETE",
    path: "/gred/api/prize/{id}",
    summary: "Delete a prize: it can no longer be drawn, its records stay",
    auth: { by: "operator", permission: "pool.write" },
    access: "write",
    params: byId,
    data: z.null(),
  }),
};
