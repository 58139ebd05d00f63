/** Prize files: preview and import accept and reject the same files. One bad row rejects the whole file. */
import { PRIZE_FILE_POOLS_MAX, PRIZE_FILE_ROWS_MAX } from "@red/contract/platform/limits";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { ImportPreview } from "@red/contract/pools/prize";
import { createPrize } from "./change-prize.ts";
import { inTransaction } from "#platform/db/connection";
import { describe, expect, test } from "vitest";
import { OPERATOR, prizeBody, prizeForm, selectPoolVersions } from "#test/activity-factory";
import { changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { makePool, makePrize } from "#test/factories";
import { formBody, importState, testFile, usePrizeImport } from "#test/upload";
import type { Form } from "#test/upload";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "周末池";

const { send, preview } = usePrizeImport(t, a);

async function make(changes: Partial<Parameters<typeof prizeForm>[0]> = {}): Promise<number> {
  const form = prizeForm({ pool_name, ...changes });
  return (await inTransaction(t.db, (tx) => createPrize(tx, OPERATOR, form))).data.id;
}

const prizes = async (name = pool_name) =>
  (await a.read(prizeRoutes.list, { query: { pool_name: name, size: 9999 } })).content;

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
    expect(await prizes()).toMatchObject([
      { id, ...prizeBody({ pool_name }) },
      { id: kept, award_name: "旧" },
      { award_name: "手机", award_price: "0.00", weight: 0, award_total: 1, floors: 1, drawn: 0 },
    ]);
    const { rows, pools, audits } = await importState(t.db);
    const [pool] = pools;
    expect(pool?.version).toBe(3);
    const versions = await selectPoolVersions(t.db, pool?.id ?? 0);
    expect(versions.at(-1)?.prizes.map((prize) => prize.id)).toEqual(rows.map((row) => row.id));
    expect(audits).toHaveLength(3);
    expect(await rowOf(t.db, "audit_log", { action: "import_prizes" })).toMatchObject({
      actor: "root-op",
      object_type: "pool",
      object_id: String(pool?.id),
      outcome: "done",
      before: {
        pools: [{ id: pool?.id, pool_name, prize_total: 50, weight_total: 6000 }],
        prizes: [{ id, pool_name, award_price: "6.66", award_total: 10 }],
      },
      after: {
        file: "prizes.csv",
        added: 1,
        updated: 1,
        pools: [{ id: pool?.id, pool_name, version: 3, prize_total: 81, weight_total: 6000 }],
        prizes: [
          { id, pool_name },
          { award_name: "手机", pool_name },
        ],
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
    expect((await prizes("p")).map((prize) => prize.floors)).toEqual([1, 0, 1, 0, 1, 0]);
  });
});

test("the preview shows what the import then does", async () => {
  await make({ award_price: "6.66", award_total: 10 });
  await make({ award_name: "旧", weight: 5 });
  await make({ award_name: "同", award_price: "1", weight: 1, award_total: 1, floors: 1 });
  await changeRows(t.db, "prize", {}, { drawn: 1 });
  const before = await importState(t.db);
  const file = `${TWO}周末池,同,1.00,1,1,1\n新池,新,1,2,3,0\n`;
  const { code, msg, data } = await preview(file);
  expect({ code, msg }).toEqual({ code: 200, msg: "success" });
  // The application checks the answer against the contract, so this cast is safe.
  const { plan, pools } = data as ImportPreview;
  expect(await importState(t.db)).toEqual(before);
  const row = (
    award_name: string,
    award_price: string,
    [weight, award_total, drawn, floors]: readonly [number, number, number, 0 | 1],
    change: string,
  ) => ({ award_name, award_price, weight, award_total, drawn, floors, change });
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
          row("8.88元红包", "8.88", [3000, 40, 1, 0], "updated"),
          row("旧", "8.88", [5, 40, 1, 0], "unchanged"),
          row("同", "1.00", [1, 1, 1, 1], "unchanged"),
          row("手机", "0.00", [0, 1, 0, 1], "added"),
        ],
      },
      {
        pool_name: "新池",
        is_new: true,
        before: { prize_total: 0, weight_total: 0 },
        after: { prize_total: 3, weight_total: 2 },
        prizes: [row("新", "1.00", [2, 3, 0, 0], "added")],
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
  for (const { pool_name: name, after } of pools) {
    expect(await a.read(prizeRoutes.totals, { query: { pool_name: name } })).toEqual([after]);
  }
});

/** Returns the errors of a bad file. Preview and import must report the same errors. */
async function faultsOf(bytes: Form["bytes"], fields: Form["fields"] = {}) {
  const before = await importState(t.db);
  const refused = await send(bytes, fields);
  expect(refused).toMatchObject({ code: 400, msg: "添加失败" });
  // The assertion above checks the type.
  const { errors } = refused.data as { errors: unknown[] };
  expect((await preview(bytes, fields)).data).toEqual({
    added: 0,
    updated: 0,
    plan: expect.any(String) as string,
    errors,
    pools: [],
  });
  expect(await importState(t.db)).toEqual(before);
  return errors;
}

describe("a bad row refuses the whole file", () => {
  const fault = (row: number, column: string, value: string, msg: string) => ({
    row,
    column,
    value,
    msg,
  });

  test("with row, column, value and reason for each", async () => {
    const rows = [
      "p,好,1,1,1,0",
      ",,,,,",
      "p,,1,1,1,0",
      "p,价,8.888,3o,-1,也许",
      'p,价二,"1,000",1.0,1e3,',
      ",价三,￥1,9999999999,1,0",
    ];
    expect(await faultsOf(`${HEADER}\n${rows.join("\n")}\n`)).toEqual([
      fault(4, "award_name", "", "请填写奖品"),
      fault(5, "weight", "3o", "权重 必须是整数"),
      fault(5, "award_total", "-1", "奖品总数 必须在 0 到 1000000000 之间"),
      fault(5, "award_price", "8.888", "奖品额度 必须是最多两位小数的金额"),
      fault(5, "floors", "也许", "是否保底 不在可选范围内"),
      fault(6, "weight", "1.0", "权重 必须是整数"),
      fault(6, "award_total", "1e3", "奖品总数 必须是整数"),
      fault(6, "award_price", "1,000", "奖品额度 必须是最多两位小数的金额"),
      fault(6, "floors", "", "请选择是否保底"),
      fault(7, "weight", "9999999999", "权重 必须在 0 到 1000000000 之间"),
      fault(7, "award_price", "￥1", "奖品额度 必须是最多两位小数的金额"),
      fault(7, "pool_name", "", "请填写奖池名称"),
    ]);
  });

  test("however many there are: all are reported", async () => {
    const rows = Array.from({ length: PRIZE_FILE_ROWS_MAX }, (_, at) => `p,a${at},1,z,1,z`);
    const errors = await faultsOf(`${HEADER}\n${rows.join("\n")}`);
    expect(errors).toEqual(
      rows.flatMap((_, at) => [
        fault(at + 2, "weight", "z", "权重 必须是整数"),
        fault(at + 2, "floors", "z", "是否保底 不在可选范围内"),
      ]),
    );
  });

  test("in English on request", async () => {
    const body = await formBody({ bytes: "award_name\nx\n", fields: { token: a.token } });
    const headers = { ...body.headers, "accept-language": "en" };
    const { method, path: url } = prizeRoutes.importFile;
    const response = await a.app.inject({ method, url, payload: body.payload, headers });
    const { msg, data } = response.json<{ msg: string; data: { errors: { msg: string }[] } }>();
    expect(msg).toBe("Could not add");
    expect(data.errors.map((error) => error.msg)).toEqual([
      "Column 奖品额度 (award_price) is missing",
      "Column 权重 (weight) is missing",
      "Column 奖品总数 (award_total) is missing",
      "Column 是否保底 (floors) is missing",
      "The file has no pool column, and no pool was chosen",
    ]);
  });

  test("when a prize is in one pool twice, whatever else is wrong in its rows", async () => {
    const rows = ["p,a,1.005,1,1,0", "p, a ,1,1,1,0", "p,b,1,,1,0", "p,b,1,1,1,0", "p,b,x,1,1,0"];
    rows.push("q,b,1,1,1,0");
    expect(await faultsOf(`${HEADER}\n${rows.join("\n")}`)).toEqual([
      fault(2, "award_price", "1.005", "奖品额度 必须是最多两位小数的金额"),
      fault(3, "award_name", "a", "与第 2 行是同一奖池的同名奖品"),
      fault(4, "weight", "", "请填写奖品权重"),
      fault(5, "award_name", "b", "与第 4 行是同一奖池的同名奖品"),
      fault(6, "award_price", "x", "奖品额度 必须是最多两位小数的金额"),
      fault(6, "award_name", "b", "与第 4 行是同一奖池的同名奖品"),
    ]);
  });

  test("when a total is below what is drawn, beside the faults of the file itself", async () => {
    const pool_id = await makePool(t.db, { pool_name: "周末池" });
    await makePrize(t.db, { pool_id, award_name: "8.88元红包", award_total: 40, drawn: 12 });
    const rows = ["周末池,x,1,,1,0", "周末池,8.88元红包,8.88,3000,11,0"];
    expect(await faultsOf(`${HEADER}\n${rows.join("\n")}`)).toEqual([
      fault(2, "weight", "", "请填写奖品权重"),
      fault(3, "award_total", "11", "奖品总数不能小于已抽出的 12"),
    ]);
    expect((await send(`${HEADER}\n周末池,8.88元红包,8.88,3000,12,0`)).code).toBe(200);
  });

  test("when there is no pool, or there are too many", async () => {
    expect(await faultsOf("奖品,奖品额度,权重,奖品总数,是否保底\nx,1,1,1,0\n")).toEqual([
      fault(1, "pool_name", "", "文件没有奖池列，也没有指定奖池"),
    ]);
    const rows = Array.from({ length: PRIZE_FILE_POOLS_MAX + 2 }, (_, at) => `p${at},x,1,1,1,0`);
    expect(await faultsOf(`${HEADER}\n${rows.join("\n")}`)).toEqual([
      fault(102, "pool_name", "p100", "一个文件最多包含 100 个奖池"),
    ]);
    const twice = ["p101,x,1,1,1,0", "p0,x,1,1,1,0"];
    expect(await faultsOf(`${HEADER}\n${[...rows, ...twice].join("\n")}`)).toEqual([
      fault(102, "pool_name", "p100", "一个文件最多包含 100 个奖池"),
      fault(104, "award_name", "x", "与第 103 行是同一奖池的同名奖品"),
      fault(105, "award_name", "x", "与第 2 行是同一奖池的同名奖品"),
    ]);
    expect((await send(`${HEADER}\n${rows.slice(0, PRIZE_FILE_POOLS_MAX).join("\n")}`)).code).toBe(
      200,
    );
  });
});
