/** Prize of a pool: weight, stock, price. A price of 0.00 means a physical prize (spec §3, §5; behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import {
  amount,
  byId,
  externalId,
  fileFormat,
  id,
  lastSave,
  name,
  neededFilter,
  numberCode,
  paging,
  wholeNumber,
} from "#platform/fields";
import {
  AWARD_NAME_LENGTH_MAX,
  AWARD_TOTAL_MAX,
  LOOKUP_SIZE,
  NAME_LENGTH_MAX,
  WEIGHT_MAX,
} from "#platform/limits";
import { houseMoney, plain } from "#platform/marks";
import { operator, route } from "#platform/route";

/** The values that an operator enters. The form has a field, and the file a column, for each value. */
export const PRIZE_VALUES = {
  award_name: plain(),
  award_price: houseMoney(),
  weight: z.int(),
  award_total: z.int(),
  floors: z.literal([0, 1]),
};
export type PrizeOnWire = z.output<z.ZodMiniObject<typeof PRIZE_VALUES>>;

export const prize = z.object({
  id: z.int(),
  version: z.int(),
  pool_name: plain(),
  ...PRIZE_VALUES,
  drawn: z.int(),
  remaining: z.int(),
});
export type Prize = z.output<typeof prize>;

/** The fields are in the order in which the specification checks them (spec §5). */
const formShape = {
  award_name: name("enter_award_name", AWARD_NAME_LENGTH_MAX),
  weight: wholeNumber(0, WEIGHT_MAX, "enter_weight"),
  award_total: wholeNumber(0, AWARD_TOTAL_MAX, "enter_award_total"),
  award_price: amount("enter_award_price"),
  floors: numberCode([0, 1], "choose_floors"),
  pool_name: name("enter_pool_name", NAME_LENGTH_MAX),
} satisfies Record<PrizeFileColumn, unknown>;

export const prizeCreate = z.strictObject(formShape);
export type PrizeForm = z.output<typeof prizeCreate>;
/** Body of update. A stale `version` returns 409, so a save cannot undo stock that was added in the meantime. */
export const prizeUpdate = z.strictObject({
  ...formShape,
  id: z.optional(id()),
  version: z.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
});

export type PrizeFileColumn = "pool_name" | keyof typeof PRIZE_VALUES;

/** Column headers of a prize file. The field names are valid headers too (behaviour §12). */
export const PRIZE_FILE_LABELS = {
  pool_name: "奖池",
  award_name: "奖品",
  award_price: "奖品额度",
  weight: "权重",
  award_total: "奖品总数",
  floors: "是否保底",
} as const satisfies Record<PrizeFileColumn, string>;

/** Words for "guaranteed" in a file; 1 and 0 are valid too. */
export const PRIZE_FILE_FLOORS = { yes: "是", no: "否" } as const;

/** Fields of the upload, without the file: `token` identifies the session, `plan` the preview. */
export const prizeImportForm = z.strictObject({
  token: z.optional(z.string()),
  plan: z.optional(externalId()),
  pool_name: z.optional(formShape.pool_name),
});

/** An error in the file. The header is row 1. `column` is empty if the error concerns the whole row. */
const rowFault = z.object({
  row: z.int(),
  column: plain(),
  value: plain(),
  msg: plain(),
});
export type RowFault = z.output<typeof rowFault>;

/** Number of new prizes in the file, and number of prizes that their pool already has. */
const importCounts = { added: z.int(), updated: z.int() };

const poolTotals = z.object({ prize_total: z.int(), weight_total: z.int() });

/** What an import would do to one pool. `prizes` counts all prizes that the pool would have. */
const poolPreview = z.object({
  pool_name: plain(),
  is_new: z.boolean(),
  before: poolTotals,
  after: poolTotals,
  prizes: z.array(
    z.object({
      ...PRIZE_VALUES,
      drawn: z.int(),
      change: z.enum(["added", "updated", "unchanged"]),
    }),
  ),
});
export type PoolPreview = z.output<typeof poolPreview>;

/**
 * If there are errors, the counts are 0 and there are no pools. `plan` identifies the preview: an import with
 * this `plan` is rejected if the pools or the file changed after the preview.
 */
const importPreview = z.object({
  ...importCounts,
  plan: plain(),
  errors: z.array(rowFault),
  pools: z.array(poolPreview),
});
export type ImportPreview = z.output<typeof importPreview>;

const byPool = { pool_name: neededFilter("choose_pool") };

export const prizeRoutes = {
  list: route({
    call: "GET /gred/api/prize/list",
    summary: "Prizes of a pool",
    ...operator("pool.read", "read"),
    query: z.object({ ...byPool, ...paging(LOOKUP_SIZE) }),
    data: listOf(prize),
  }),
  totals: route({
    call: "GET /gred/api/prize/retotal",
    summary: "Total count and total weight of a pool",
    ...operator("pool.read", "read"),
    query: z.object(byPool),
    data: z.array(poolTotals),
  }),
  detail: route({
    call: "GET /gred/api/prize/{id}/edit",
    summary: "One prize, for its form",
    ...operator("pool.read", "read"),
    params: byId,
    data: prize,
  }),
  lastSave: route({
    call: "GET /gred/api/prize/{id}/saved",
    summary: "Who saved the prize last, and when",
    ...operator("pool.read", "read"),
    params: byId,
    data: lastSave,
  }),
  create: route({
    call: "POST /gred/api/prize",
    summary: "Add a prize; a new pool_name creates the pool too",
    ...operator("pool.write", "write", "risk"),
    body: prizeCreate,
    data: z.object({ id: z.int() }),
  }),
  update: route({
    call: "PUT /gred/api/prize/{id}",
    summary: "Save a prize; records keep the prize as it was",
    ...operator("pool.write", "write", "risk"),
    params: byId,
    body: prizeUpdate,
    data: z.object({ version: z.int() }),
  }),
  addStock: route({
    call: "PUT /gred/api/prize/{id}/stock",
    summary: "Raise the total of a prize",
    ...operator("pool.write", "write", "risk"),
    params: byId,
    body: z.strictObject({ add: wholeNumber(1, AWARD_TOTAL_MAX) }),
    data: z.object({ award_total: z.int() }),
  }),
  remove: route({
    call: "DELETE /gred/api/prize/{id}",
    summary: "Delete a prize: it can no longer be drawn, its records stay",
    ...operator("pool.write", "write", "risk"),
    params: byId,
  }),
  importFile: route({
    call: "POST /gred/api/prize/import",
    summary: "Import prizes from a csv, xlsx or xls file; a bad row refuses the whole file",
    ...operator("pool.write", "upload", "risk"),
    data: z.object(importCounts),
  }),
  previewImport: route({
    call: "POST /gred/api/prize/import/preview",
    summary: "What an import of the same file would do, and every fault of the file",
    ...operator("pool.write", "upload", { none: "changes nothing" }),
    data: importPreview,
  }),
  exportFile: route({
    call: "GET /gred/api/prize/export",
    summary: "The prizes of a pool as a file that can be imported again",
    ...operator("pool.read", "download"),
    query: z.object({
      ...byPool,
      format: fileFormat(),
    }),
  }),
};
