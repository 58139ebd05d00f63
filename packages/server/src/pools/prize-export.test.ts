import { buffer } from "node:stream/consumers";
import * as XLSX from "@e965/xlsx";
import { AWARD_NAME_LENGTH_MAX, AWARD_TOTAL_MAX, WEIGHT_MAX } from "@red/contract/platform/limits";
import { AMOUNT_CENTS_MAX } from "@red/contract/platform/money";
import { PRIZE_FILE_LABELS, prizeCreate, prizeRoutes } from "@red/contract/pools/prize";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { makePool, makePrize } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { upload } from "#test/upload";
import { csvOf } from "#tables/csv-writer";
import { parseTable } from "#tables/parse-table";
import { xlsxOf } from "#tables/xlsx-writer";
import { prizeTable } from "./prize-file.ts";
import * as z from "zod/mini";

const t = useTestDb();
const a = useTestApp(t);

beforeEach(() => clear(t.db, "prize", "pool_version", "pool", "audit_log"));

async function download(pool_name: string, format?: string) {
  const query = new URLSearchParams({ pool_name, token: a.token, ...(format && { format }) });
  return await a.app.inject({
    method: "GET",
    url: `${prizeRoutes.exportFile.path}?${query.toString()}`,
  });
}

async function rows() {
  return await t.db.selectFrom("prize").selectAll().orderBy("id").execute();
}

describe("an export", () => {
  test("is a sheet with labels, numbers as numbers, and what was drawn", async () => {
    const pool_id = await makePool(t.db, { pool_name: "周末/池" });
    const award = { award_name: "=8.88", award_price_cents: 888, weight: 3000, award_total: 40 };
    const id = await makePrize(t.db, { pool_id, ...award, drawn: 12 });
    await makePrize(t.db, { pool_id, award_name: "gone", deleted_at: new Date() });
    const response = await download("周末/池");
    expect(response.headers).toMatchObject({
      "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "content-disposition": `attachment; filename="____.xlsx"; filename*=UTF-8''${encodeURIComponent("周末/池.xlsx")}`,
    });
    const book = XLSX.read(response.rawPayload, { type: "buffer" });
    expect(book.SheetNames).toEqual(["周末 池"]);
    const sheet = book.Sheets["周末 池"];
    expect(sheet && XLSX.utils.sheet_to_json(sheet, { header: 1 })).toEqual([
      ["奖池", "奖品", "奖品额度", "权重", "奖品总数", "是否保底", "ID", "已抽", "剩余"],
      ["周末/池", "=8.88", 8.88, 3000, 40, "否", id, 12, 28],
    ]);
  });

  test("of an unknown pool or format is an error", async () => {
    expect((await download("nowhere")).json()).toMatchObject({ code: 404, msg: "奖池不存在" });
    await makePool(t.db, { pool_name: "p" });
    expect((await download("p", "pdf")).json()).toMatchObject({ code: 400 });
  });
});

const values = fc.record({
  award_price_cents: fc.integer({ min: 0, max: AMOUNT_CENTS_MAX }),
  weight: fc.integer({ min: 0, max: WEIGHT_MAX }),
  award_total: fc.integer({ min: 0, max: AWARD_TOTAL_MAX }),
  drawn: fc.integer({ min: 0, max: AWARD_TOTAL_MAX }),
  floors: fc.boolean(),
});

// Unusual names have their own test below. Few runs here, because each run starts a thread.
test.each(["xlsx", "csv"])(
  "an export in %s that is imported again changes nothing",
  async (format) => {
    const pool_name = "=周末,池";
    const property = fc.asyncProperty(fc.array(values, { minLength: 1 }), async (prizes) => {
      await clear(t.db, "prize", "pool_version", "pool");
      const pool_id = await makePool(t.db, { pool_name });
      for (const { drawn, ...prize } of prizes) {
        await makePrize(t.db, { pool_id, ...prize, drawn: Math.min(prize.award_total, drawn) });
      }
      const before = await rows();
      const bytes = (await download(pool_name, format)).rawPayload;
      const answer = await upload(a, prizeRoutes.importFile, { bytes });
      expect(answer.data).toEqual({ added: 0, updated: before.length });
      expect(await rows()).toEqual(before);
      expect(await t.db.selectFrom("pool").select(["id", "version"]).execute()).toEqual([
        { id: pool_id, version: 1 },
      ]);
    });
    await fc.assert(property, { numRuns: 5 });
  },
);

const COLUMNS = Object.entries(PRIZE_FILE_LABELS).map(([field, label]) => ({
  field,
  label,
  required: true,
}));

/** Texts that often break CSV and spreadsheet files. */
const AWKWARD = [
  "'=1+1",
  "''=",
  "'",
  "_x0041_",
  "_x005F_",
  "_x005f_x0041_",
  "1e3",
  "00012",
  "true",
  "2026-11-20",
  "#N/A",
  "a\u2028b",
  "a\uFEFFb",
  "&#65;",
  "]]>",
  "<t>",
];

const prizeName = fc
  .oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.stringMatching(/^[=+\-@'",; ＝_x0041&<>]{1,12}$/),
    fc.constantFrom(...AWKWARD),
  )
  .map((text) => text.trim().slice(0, AWARD_NAME_LENGTH_MAX))
  .filter((text) => z.safeParse(prizeCreate.shape.award_name, text).success);

test.each([
  ["xlsx", xlsxOf],
  ["csv", csvOf],
])("names come back from %s as they went in", async (_format, write) => {
  const property = fc.asyncProperty(prizeName, prizeName, async (pool_name, award_name) => {
    const numbers = { id: 1, version: 1, weight: 2, award_total: 3, drawn: 1, remaining: 2 };
    const prize = { pool_name, award_name, award_price: "8.80", floors: 1, ...numbers } as const;
    const bytes = await buffer(write(prizeTable(pool_name, [prize])));
    const { rows, faults } = await parseTable(bytes, COLUMNS, 10);
    expect(faults).toEqual([]);
    const texts = { pool_name, award_name, weight: "2", award_total: "3", floors: "是" };
    expect(rows).toMatchObject([{ row: 2, texts }]);
  });
  await fc.assert(property, { numRuns: 300, examples: AWKWARD.map((text) => [text, text]) });
});
