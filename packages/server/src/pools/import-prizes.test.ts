import { WEIGHT_MAX, WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import { addStock, createPrize } from "./change-prize.ts";
import { importPrizes, previewPrizes } from "./import-prizes.ts";
import { planImport } from "./plan-import.ts";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import type { PrizeRow } from "./prize-sql.ts";
import type { PrizeFile } from "./prize-file.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { OPERATOR, prizeForm, selectPoolVersions } from "#test/activity-factory";
import { hold, meet, outcomeOf } from "#test/races";
import { rowOf, rowsOf } from "#test/rows";
import { clear, useTestDb } from "#test/test-db";

const t = useTestDb();

beforeEach(() => clear(t.db, "prize", "pool_version", "pool"));

type Prize = Parameters<typeof prizeForm>[0];

function fileOf(...prizes: Prize[]): PrizeFile {
  return {
    prizes: prizes.map((prize, at) => ({ row: at + 2, form: prizeForm(prize) })),
    faults: [],
  };
}

function carryingOut(plan: string | undefined, file: PrizeFile) {
  const given = { file, filename: "x.csv", language: "zh", plan } as const;
  return async (tx: Tx) => (await importPrizes(tx, OPERATOR, given)).data;
}

const importing = (...prizes: Prize[]) => carryingOut(undefined, fileOf(...prizes));

async function names() {
  return await t.db
    .selectFrom("prize as z")
    .innerJoin("pool as p", "p.id", "z.pool_id")
    .select(["p.pool_name", "z.award_name", "z.award_total"])
    .orderBy("z.id")
    .execute();
}

test("an import waits for the one before it, and then finds its prizes", async () => {
  const a = { pool_name: "a", award_name: "x" };
  const b = { pool_name: "b", award_name: "x" };
  const second = importing({ ...a, award_total: 7 }, b);
  expect(await meet(t.db, importing(b, a), second)).toEqual({ added: 0, updated: 2 });
  expect(await names()).toMatchObject([
    { pool_name: "b", award_total: 40 },
    { pool_name: "a", award_total: 7 },
  ]);
});

test("imports of the same pools in any order never deadlock", async () => {
  const pools = ["a", "b", "c", "d"].map((pool_name) => ({ pool_name, award_name: "x" }));
  await inTransaction(t.db, importing(...pools.slice(0, 2)));
  const orders = Array.from({ length: 12 }, (_, at) =>
    pools.map((_pool, index) => pools[(index * 3 + at) % 4] ?? { pool_name: "" }),
  );
  const outcomes = await Promise.all(
    orders.map((order) => inTransaction(t.db, importing(...order))),
  );
  const added = outcomes.map((outcome) => outcome.added).toSorted((one, other) => one - other);
  expect(added).toEqual([...Array<number>(11).fill(0), 2]);
  expect(await names()).toHaveLength(4);
});

test("an import waits for a prize that is being added", async () => {
  const form = prizeForm({ pool_name: "a", award_name: "x" });
  const adding = (tx: Tx) => createPrize(tx, OPERATOR, form);
  const second = importing({ pool_name: "a", award_name: "x", weight: 5 });
  expect(await meet(t.db, adding, second)).toEqual({ added: 0, updated: 1 });
  const { id } = await rowOf(t.db, "pool");
  expect(await selectPoolVersions(t.db, id)).toMatchObject([
    { version: 1, prizes: [{ weight: 3000 }] },
    { version: 2, prizes: [{ weight: 5 }] },
  ]);
});

test("a total is checked after the draws in flight, and a refusal leaves nothing", async () => {
  await inTransaction(t.db, importing({ pool_name: "a", award_name: "x" }));
  const draws = (tx: Tx) => sql`update prize set drawn = 30`.execute(tx);
  const file = [
    { pool_name: "new", award_name: "y" },
    { pool_name: "a", award_name: "x", award_total: 29 },
  ];
  expect(await meet(t.db, draws, importing(...file))).toMatchObject({
    key: "import_failed",
    data: {
      errors: [{ row: 3, column: "award_total", value: "29", msg: "奖品总数不能小于已抽出的 30" }],
    },
  });
  expect(await names()).toHaveLength(1);
  expect(await rowsOf(t.db, "pool")).toHaveLength(1);
});

test("a preview waits for no lock", async () => {
  await inTransaction(t.db, importing({ pool_name: "a", award_name: "x" }));
  const draws = await hold(t.db, (tx) => sql`update prize set drawn = 30`.execute(tx));
  const file = fileOf({ pool_name: "a", award_name: "x", award_total: 29 });
  expect(await previewPrizes(t.db, file, "zh")).toMatchObject({ updated: 1, errors: [] });
  await draws.commit();
  expect(await previewPrizes(t.db, file, "zh")).toMatchObject({ updated: 0, errors: [{}] });
});

test("too large a sum of weights is reported in the pool's first row", () => {
  const heavy = (id: number, weight: number): PrizeRow => ({
    id,
    pool_id: 1,
    award_name: `p${id}`,
    award_price_cents: 1,
    weight,
    award_total: 1,
    drawn: 0,
    floors: false,
    version: 1,
    deleted_at: null,
  });
  // One prize heavier than allowed replaces 281,474 rows.
  const present = (weight: number) => new Map([["a", [heavy(1, weight)]]]);
  const file = fileOf(
    { pool_name: "b", award_name: "x" },
    { pool_name: "a", award_name: "x", weight: WEIGHT_MAX },
  );
  const limit = WEIGHT_SUM_MAX - WEIGHT_MAX;
  expect(planImport(file, present(limit), "zh").errors).toEqual([]);
  expect(planImport(file, present(limit + 1), "zh")).toEqual({
    added: 0,
    updated: 0,
    errors: [
      { row: 3, column: "weight", value: String(WEIGHT_SUM_MAX + 1), msg: "奖池权重合计过大" },
    ],
    pools: [],
  });
});

describe("an import that names its preview", () => {
  const file = fileOf({ pool_name: "a", award_name: "x", award_total: 50 }, { pool_name: "b" });

  const previewed = async () => (await previewPrizes(t.db, file, "zh")).name;
  const add = async (tx: Tx) => await addStock(tx, OPERATOR, (await rowOf(t.db, "prize")).id, 5);

  beforeEach(async () => {
    await inTransaction(t.db, importing({ pool_name: "a", award_name: "x" }));
  });

  test("does what the preview showed, even after draws in between", async () => {
    const plan = await previewed();
    await sql`update prize set drawn = 30`.execute(t.db);
    expect(await inTransaction(t.db, carryingOut(plan, file))).toEqual({ added: 1, updated: 1 });
    expect(await rowOf(t.db, "prize", { award_name: "x" })).toMatchObject({ version: 2 });
  });

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ["stock was added", add],
    ["a prize was added", importing({ pool_name: "a" })],
    ["a pool that was new is there", importing({ pool_name: "b" })],
  ])("is refused after %s in between, and does nothing", async (_, change) => {
    const plan = await previewed();
    await inTransaction(t.db, change);
    const before = await names();
    const outcome = await outcomeOf(inTransaction(t.db, carryingOut(plan, file)));
    expect(outcome).toMatchObject({ key: "stale_plan" });
    expect(await names()).toEqual(before);
    expect(await inTransaction(t.db, carryingOut(await previewed(), file))).toMatchObject({
      updated: expect.any(Number) as number,
    });
  });

  test("is refused when stock is being added while it waits", async () => {
    const plan = await previewed();
    expect(await meet(t.db, add, carryingOut(plan, file))).toMatchObject({ key: "stale_plan" });
    expect(await names()).toMatchObject([{ award_total: 45 }]);
  });

  test("is refused with another file than the one previewed", async () => {
    const plan = await previewed();
    const other = fileOf({ pool_name: "a", award_name: "x", award_total: 51 });
    const outcome = await outcomeOf(inTransaction(t.db, carryingOut(plan, other)));
    expect(outcome).toMatchObject({ key: "stale_plan" });
  });
});
