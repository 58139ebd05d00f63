/** Fixtures of pools and prizes. */
import { selectPrize, toPrize } from "#rounds/prize-sql";
import { makePool, makePrize } from "#test/factories";
import { idIn, idOf, repeatedId, trace, unused } from "#test/contract-fixture";
import type { Fixture, World } from "#test/contract-fixture";
import { amount, code, knownId, whole } from "#test/contract-kinds-number";
import { name } from "#test/contract-kinds-text";
import type { Kind, Words } from "#test/contract-cases";

const NO_POOL = { against: "pool_not_found", code: 404 } as const;
const STALE = { against: "stale_version", code: 409 } as const;
const NO_PRIZE = { against: "prize_not_found", code: 404 } as const;
const POOL: Words = { max: 64, missing: "enter_pool_name" };
const BILLION = 1_000_000_000;

async function keptPool({ db }: World, id: number): Promise<Record<string, unknown>> {
  return { ...(await db.selectFrom("pool").selectAll().where("id", "=", id).executeTakeFirst()) };
}

/** Fixtures of pools by method and path. */
export const POOL_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/pool": {
    valid: async () => ({ body: { pool_name: unused("pool") } }),
    fields: () => ({ pool_name: name(POOL) }),
    kept: async (world, _sent, data) => await keptPool(world, idIn(data)),
    trace: trace("create_pool", "pool", "after"),
  },
  "PUT /gred/api/pool/{id}": {
    valid: async ({ db }) => ({
      params: { id: await makePool(db, { pool_name: unused("pool") }) },
      body: { pool_name: unused("pool") },
    }),
    fields: () => ({ pool_name: name(POOL) }),
    params: () => ({ id: knownId(NO_POOL) }),
    kept: async (world, sent) => await keptPool(world, idOf(sent)),
    trace: trace("rename_pool", "pool", "before", "after"),
  },
  "DELETE /gred/api/pool/{id}": {
    valid: async ({ db }) => ({
      params: { id: await makePool(db, { pool_name: unused("pool") }) },
    }),
    params: () => ({ id: knownId(NO_POOL) }),
    trace: trace("delete_pool", "pool", "before"),
  },
  "POST /gred/api/pool/{id}/copy": {
    valid: async ({ stage }) => ({
      params: { id: stage.open.pool_id },
      body: { pool_name: unused("copy") },
    }),
    fields: () => ({ pool_name: name(POOL) }),
    params: () => ({ id: knownId(NO_POOL) }),
    kept: async (world, _sent, data) => await keptPool(world, idIn(data)),
    trace: trace("copy_pool", "pool", "after"),
  },
};

function prizeBody(pool_name: string): Record<string, unknown> {
  return {
    award_name: unused("prize"),
    award_price: "8.88",
    weight: 3000,
    award_total: 40,
    floors: 0,
    pool_name,
  };
}

function prizeFields(pool_name: Kind): Record<string, Kind> {
  return {
    award_name: name({ max: 64, missing: "enter_award_name" }),
    weight: whole({ min: 0, max: BILLION, missing: "enter_weight" }),
    award_total: whole({ min: 0, max: BILLION, missing: "enter_award_total" }),
    award_price: amount({ min: "0.00", missing: "enter_award_price" }),
    floors: code({ values: [0, 1], missing: "choose_floors" }),
    pool_name,
  };
}

async function keptPrize({ db }: World, id: number): Promise<Record<string, unknown>> {
  const row = await selectPrize(db, id);
  return row === null ? {} : { ...toPrize(row, row.pool_name) };
}

/** The file of an import: one prize, right in every column. */
function prizeForm(): Fixture["valid"] {
  return async () => ({
    form: {
      filename: "prizes.csv",
      bytes: `奖品,奖品额度,权重,奖品总数,是否保底\n${unused("row")},8.88,10,5,否\n`,
      fields: { pool_name: unused("pool") },
    },
  });
}

/** Fixtures of prizes by method and path. */
export const PRIZE_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/prize": {
    valid: async () => ({ body: prizeBody(unused("pool")) }),
    fields: () => prizeFields(name(POOL)),
    kept: async (world, _sent, data) => await keptPrize(world, idIn(data)),
    trace: trace("create_prize", "prize", "after"),
  },
  "PUT /gred/api/prize/{id}": {
    valid: async ({ stage }) => ({
      params: { id: stage.spare.prize_id },
      body: prizeBody(stage.spare.pool_name),
    }),
    fields: ({ stage }) => ({
      ...prizeFields(name(POOL, () => ({ against: "prize_pool_differs", code: 400 }))),
      id: repeatedId(stage.spare.prize_id),
      // The prize of the stage is at a version that is none of the odd numbers.
      version: whole({ min: 1, max: Number.MAX_SAFE_INTEGER, isOptional: true }, () => STALE),
    }),
    params: () => ({ id: knownId(NO_PRIZE) }),
    kept: async (world, sent) => await keptPrize(world, idOf(sent)),
    trace: trace("update_prize", "prize", "before", "after"),
  },
  "PUT /gred/api/prize/{id}/stock": {
    valid: async ({ db, stage }) => ({
      params: { id: await makePrize(db, { pool_id: stage.spare.pool_id, award_total: 0 }) },
      body: { add: 5 },
    }),
    fields: () => ({ add: whole({ min: 1, max: BILLION }) }),
    params: () => ({ id: knownId(NO_PRIZE) }),
    kept: async (world, sent) => {
      const { award_total } = await keptPrize(world, idOf(sent));
      return { add: award_total };
    },
    trace: trace("add_stock", "prize", "before", "after"),
  },
  "DELETE /gred/api/prize/{id}": {
    valid: async ({ db, stage }) => ({
      params: { id: await makePrize(db, { pool_id: stage.spare.pool_id }) },
    }),
    params: () => ({ id: knownId(NO_PRIZE) }),
    trace: trace("delete_prize", "prize", "before"),
  },
  "POST /gred/api/prize/import": {
    valid: prizeForm(),
    trace: trace("import_prizes", "pool", "before", "after"),
  },
  "POST /gred/api/prize/import/preview": {
    valid: prizeForm(),
    trace: { none: "nothing is written" },
  },
};
