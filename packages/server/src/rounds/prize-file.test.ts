import { buffer } from "node:stream/consumers";
import { AWARD_NAME_LENGTH_MAX } from "@red/contract/limits";
import { PRIZE_FILE_LABELS, prizeCreate } from "@red/contract/prize";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { csvOf } from "#tables/csv-writer";
import { parseTable } from "#tables/parse-table";
import { prizeTable } from "./prize-file.ts";
import { xlsxOf } from "#tables/xlsx-writer";

const COLUMNS = Object.entries(PRIZE_FILE_LABELS).map(([field, label]) => ({
  field,
  label,
  required: true,
}));

/** Text that files are known to trip over. */
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

/** Any name that the form takes. */
const name = fc
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
  const property = fc.asyncProperty(name, name, async (pool_name, award_name) => {
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
