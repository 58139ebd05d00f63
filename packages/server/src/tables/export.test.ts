import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import * as XLSX from "@e965/xlsx";
import { describe, expect, test } from "vitest";
import { csvOf } from "./csv-writer.ts";
import { EMPTY, numberCell, textCell } from "./output-table.ts";
import type { Cell, Table } from "./output-table.ts";
import { xlsxOf } from "./xlsx-writer.ts";

async function* given(
  rows: readonly (readonly Cell[])[],
): AsyncGenerator<readonly (readonly Cell[])[]> {
  yield rows;
}

function table(rows: readonly (readonly Cell[])[]): Table {
  return { title: "发放记录", labels: ["账号", "金额"], pages: given(rows) };
}

/** Keeps the BOM, which a decoder would remove. */
async function textOf(stream: Readable): Promise<string> {
  return (await buffer(stream)).toString("utf8");
}

const FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1+1", " =1", '"=1'];

describe("csv", () => {
  test("has a BOM, CRLF, and quotes what needs it", async () => {
    const odd = [textCell('a,"b"\nc'), numberCell("-8.88")];
    const out = await textOf(csvOf(table([odd, [EMPTY, EMPTY]])));
    expect(out).toBe('\uFEFF账号,金额\r\n"a,""b""\nc",-8.88\r\n,\r\n');
  });

  test.each(FORMULAS)("%j does not become a formula", async (formula) => {
    const out = await textOf(csvOf(table([[textCell(formula), EMPTY]])));
    const workbook = XLSX.read(out.slice(1), { type: "string", raw: true });
    const sheet = workbook.Sheets[workbook.SheetNames[0] ?? ""];
    const cell: unknown = sheet?.["A2"]?.v;
    expect(String(cell).startsWith("'")).toBe(true);
  });
});

async function read(rows: readonly (readonly Cell[])[]) {
  return XLSX.read(await buffer(xlsxOf(table(rows))), { type: "buffer" });
}

describe("xlsx", () => {
  test("comes back as it went in", async () => {
    const workbook = await read([
      [textCell("player01 & <b>\u0001"), numberCell("8.88")],
      [textCell("  blanks  "), numberCell(1234567890123)],
    ]);
    expect(workbook.SheetNames).toEqual(["发放记录"]);
    const sheet = workbook.Sheets["发放记录"];
    expect(sheet && XLSX.utils.sheet_to_json(sheet, { header: 1 })).toEqual([
      ["账号", "金额"],
      ["player01 & <b>", 8.88],
      ["  blanks  ", 1234567890123],
    ]);
  });

  test.each(FORMULAS)("%j stays a text", async (formula) => {
    const workbook = await read([[textCell(formula), EMPTY]]);
    const cell: unknown = workbook.Sheets["发放记录"]?.["A2"];
    expect(cell).toMatchObject({ t: "s", v: formula });
    expect(cell).not.toHaveProperty("f");
  });

  test("of no rows still has its header", async () => {
    const workbook = await read([]);
    expect(workbook.Sheets["发放记录"]?.["B1"]).toMatchObject({ v: "金额" });
  });

  test("ends with the fault of its rows", async () => {
    async function* broken(): AsyncGenerator<Cell[][]> {
      yield [[textCell("a"), EMPTY]];
      throw new Error("the database went away");
    }
    const stream = xlsxOf({ title: "x", labels: ["a"], pages: broken() });
    await expect(buffer(stream)).rejects.toThrow("the database went away");
  });
});

test.each([
  ["csv", csvOf],
  ["xlsx", xlsxOf],
])("a reader of %s who goes away lets go of the rows", async (_, write) => {
  let isOver = false;
  async function* endless(): AsyncGenerator<Cell[][]> {
    try {
      for (;;) {
        yield [[textCell(randomBytes(16).toString("hex"))]];
      }
    } finally {
      isOver = true;
    }
  }
  const stream = write({ title: "x", labels: ["a"], pages: endless() });
  await once(stream, "readable");
  expect(stream.read()).not.toBeNull();
  stream.destroy();
  await expect.poll(() => isOver).toBe(true);
});
