import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { csvOf } from "./csv-writer.ts";
import { textCell } from "./table.ts";
import type { Cell, Table } from "./table.ts";
import { xlsxOf } from "./xlsx-writer.ts";

/** Rows without end, and whether whoever read them has said that he wants no more. */
function endless() {
  const state = { isOver: false };
  async function* rows(): AsyncGenerator<readonly Cell[]> {
    try {
      for (let row = 0; ; row += 1) {
        yield [textCell(`${row} ${randomBytes(16).toString("hex")}`)];
      }
    } finally {
      state.isOver = true;
    }
  }
  const table: Table = { title: "x", labels: ["a"], rows: rows() };
  return { state, table };
}

test.each([
  ["csv", csvOf],
  ["xlsx", xlsxOf],
])("a reader of %s who goes away lets go of the rows", async (_, write) => {
  const { state, table } = endless();
  const stream = write(table);
  await once(stream, "readable");
  expect(stream.read()).not.toBeNull();
  stream.destroy();
  await expect.poll(() => state.isOver).toBe(true);
});
