import { prizeRoutes } from "@red/contract/prize";
import { createPrize } from "./change-prize.ts";
import { inTransaction } from "#platform/connection";
import { describe, expect, test } from "vitest";
import { OPERATOR, prizeForm, selectPoolVersions } from "#test/activity-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { importState, testFile, usePrizeImport } from "#test/upload";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "周末池";

const { send, preview } = usePrizeImport(t, a);

async function make(changes: Partial<Parameters<typeof prizeForm>[0]> = {}): Promise<number> {
  const form = prizeForm({ pool_name, ...changes });
  return await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form));
}

async function prizes(name = pool_name) {
  const query = { pool_name: name, page: 1, size: 9999 };
  const { data } = await a.call(prizeRoutes.list, { query });
  // The application checks the contract in tests.
  return (data as { content: Record<string, unknown>[] }).content;
}

const HEADER = "奖池,奖品,奖品额度,权重,奖品总数,是否保底";
const TWO = `${HEADER}\n周末池,8.88元红包,8.88,3000,40,否\n周末池,手机,0,0,1,是\n`;

describe("an import", () => {
  test("adds new prizes, updates existing ones, in one version with one audit row", async () => {
    const id = await make({ award_price: "6.66", award_total: 10 });
    const kept = await make({ award_name: "旧" });
    expect(await send(TWO)).toEqual({
      code: 200,
      msg: "添加成功",
      data: { added: 1, updated: 1 },
    });
    const content = await prizes();
    expect(content).toMatchObject([
      {
        id,
        award_name: "8.88元红包",
        award_price: "8.88",
        weight: 3000,
        award_total: 40,
        floors: 0,
      },
      { id: kept, award_name: "旧" },
      { award_name: "手机", award_price: "0.00", weight: 0, award_total: 1, floors: 1, drawn: 0 },
    ]);
    const { rows, pools, audits } = await importState(t.db);
    const [pool] = pools;
    expect(pool?.version).toBe(3);
    const versions = await selectPoolVersions(t.db, pool?.id ?? 0);
    expect(versions.at(-1)?.prizes.map((prize) => prize.id)).toEqual(rows.map((row) => row.id));
    expect(audits).toHaveLength(3);
    const audit = await t.db
      .selectFrom("audit_log")
      .selectAll()
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(audit).toMatchObject({
      actor: "root-op",
      action: "import_prizes",
      object_type: "pool",
      object_id: String(pool?.id),
      outcome: "done",
      before: { pools: [{ id: pool?.id, pool_name, prize_total: 50, weight_total: 6000 }] },
      after: {
        file: "prizes.csv",
        added: 1,
        updated: 1,
        pools: [{ id: pool?.id, pool_name, version: 3, prize_total: 81, weight_total: 6000 }],
      },
    });
  });

  test("takes the pool from its column, else from the request, else from the sheet", async () => {
    const bare = "奖品,奖品额度,权重,奖品总数,是否保底\nx,1,1,1,0\n";
    expect((await send(bare, { pool_name: " 请求池 " })).code).toBe(200);
    expect(await prizes("请求池")).toHaveLength(1);
    expect((await send(TWO, { pool_name: "别的" })).code).toBe(200);
    expect(await prizes()).toHaveLength(2);
    expect((await send(testFile("prizes.xlsx"), { pool_name: "" })).data).toEqual({
      added: 2,
      updated: 1,
    });
    expect((await send(testFile("prizes.xls"), { pool_name: "请求池" })).data).toMatchObject({
      added: 3,
    });
    expect((await importState(t.db)).pools.map((pool) => pool.pool_name)).toEqual([
      "请求池",
      pool_name,
    ]);
  });

  test("accepts every spelling of true and false of the form and of spreadsheets", async () => {
    const words = ["1", "0", "是", "否", "TRUE", "false"];
    const rows = words.map((word, at) => `p,x${at},1,1,1,${word}\n`);
    expect((await send(`${HEADER}\n${rows.join("")}`)).code).toBe(200);
    expect((await prizes("p")).map((prize) => prize["floors"])).toEqual([1, 0, 1, 0, 1, 0]);
  });
});

test("the preview shows what the import then does", async () => {
  await make({ award_price: "6.66", award_total: 10 });
  await make({ award_name: "旧", weight: 5 });
  await make({ award_name: "同", award_price: "1", weight: 1, award_total: 1, floors: 1 });
  await t.db.updateTable("prize").set({ drawn: 1 }).execute();
  const before = await importState(t.db);
  const file = `${TWO}周末池,同,1.00,1,1,1\n新池,新,1,2,3,0\n`;
  const { code, msg, data } = await preview(file);
  expect({ code, msg }).toEqual({ code: 200, msg: "success" });
  const { plan } = data as { plan: string };
  expect(await importState(t.db)).toEqual(before);
  const row = (award_name: string, award_price: string, rest: object) => ({
    award_name,
    award_price,
    ...rest,
  });
  expect(data).toEqual({
    added: 2,
    updated: 2,
    plan: expect.stringMatching(/^[\w-]{43}$/) as string,
    errors: [],
    pools: [
      {
        pool_name,
        is_new: false,
        before: { prize_total: 51, weight_total: 3006 },
        after: { prize_total: 82, weight_total: 3006 },
        prizes: [
          row("8.88元红包", "8.88", {
            weight: 3000,
            award_total: 40,
            drawn: 1,
            floors: 0,
            change: "updated",
          }),
          row("旧", "8.88", {
            weight: 5,
            award_total: 40,
            drawn: 1,
            floors: 0,
            change: "unchanged",
          }),
          row("同", "1.00", {
            weight: 1,
            award_total: 1,
            drawn: 1,
            floors: 1,
            change: "unchanged",
          }),
          row("手机", "0.00", { weight: 0, award_total: 1, drawn: 0, floors: 1, change: "added" }),
        ],
      },
      {
        pool_name: "新池",
        is_new: true,
        before: { prize_total: 0, weight_total: 0 },
        after: { prize_total: 3, weight_total: 2 },
        prizes: [
          row("新", "1.00", { weight: 2, award_total: 3, drawn: 0, floors: 0, change: "added" }),
        ],
      },
    ],
  });
  expect((await send(file, { plan })).data).toEqual({ added: 2, updated: 2 });
  expect((await prizes()).map(({ drawn }) => drawn)).toEqual([1, 1, 1, 0]);
  const done = await importState(t.db);
  expect(await send(file, { plan })).toMatchObject({
    code: 409,
    msg: "预览之后奖池有了变化，请核对后再导入",
  });
  expect(await importState(t.db)).toEqual(done);
  for (const { pool_name: name, after } of (
    data as { pools: { pool_name: string; after: object }[] }
  ).pools) {
    expect((await a.call(prizeRoutes.totals, { query: { pool_name: name } })).data).toEqual([
      after,
    ]);
  }
});
