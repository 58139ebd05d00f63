import * as XLSX from "@e965/xlsx";
import { AppError } from "@red/contract/platform/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { testFile } from "#test/upload";
import { rowXml, withLie, workbookParts, zipOf } from "#test/zip";
import { parseTable } from "./parse-table.ts";
import type { TableColumn } from "./parse-table.ts";
import { readTable } from "./read-table.ts";

const COLUMNS: readonly TableColumn[] = [
  { field: "pool_name", label: "奖池", required: false },
  { field: "award_name", label: "奖品", required: true },
  { field: "weight", label: "权重", required: true },
];

async function parse(content: Buffer | string, rowsMax = 100) {
  return await parseTable(Buffer.from(content), COLUMNS, rowsMax);
}

/** Returns the error key, or the faults of cells as `row column key`. */
async function refusal(content: Buffer | string, rowsMax?: number) {
  try {
    const { rows, faults } = await parse(content, rowsMax);
    expect({ rows, faults }).not.toMatchObject({ faults: [] });
    return faults.map(({ row, column, key }) => `${row} ${column} ${key}`);
  } catch (fault) {
    if (fault instanceof AppError) {
      return fault.key;
    }
    throw fault;
  }
}

const CSV = "奖品,权重\n8.88元红包,3000\n手机，红色,0\n";
const TABLE = {
  sheet: null,
  header: 1,
  fields: ["award_name", "weight"],
  rows: [
    { row: 2, texts: { award_name: "8.88元红包", weight: "3000" } },
    { row: 3, texts: { award_name: "手机，红色", weight: "0" } },
  ],
  faults: [],
};

/** A file as Chinese Excel saves it: 奖品,权重 / 8.88元红包,3000 / 手机，红色,0. */
const GB18030 = Buffer.from(
  "bdb1c6b72cc8a8d6d80a382e3838d4aabaecb0fc2c333030300acad6bbfaa3acbaecc9ab2c300a",
  "hex",
);

function utf16(text: string, isBigEndian = false): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, "utf16le");
  return isBigEndian ? bytes.swap16() : bytes;
}

describe("csv is read", () => {
  test.each([
    ["UTF-8", CSV],
    ["UTF-8 with BOM", `\uFEFF${CSV}`],
    ["GB18030", GB18030],
    ["UTF-16, tabs, as Excel saves Unicode text", utf16(CSV.replaceAll(",", "\t"))],
    ["UTF-16, big end first", utf16(CSV, true)],
    ["semicolons", CSV.replaceAll(",", ";")],
    ["tabs", CSV.replaceAll(",", "\t")],
    ["CRLF", CSV.replaceAll("\n", "\r\n")],
    ["CR alone", CSV.replaceAll("\n", "\r")],
    ["line ends of two kinds", "奖品,权重\r\n8.88元红包,3000\n手机，红色,0"],
    ["quotes", '"奖品","权重"\n"8.88元红包","3000"\n"手机，红色","0"\n'],
    [
      "blanks around and blank rows after",
      "奖品 , 权重\n 8.88元红包 ,3000\n手机，红色,0\n,\n \n\n",
    ],
  ])("in %s", async (_name, content) => {
    expect(await parse(content)).toEqual(TABLE);
  });

  test.each([";", ",", "\t"])("behind a line that names the delimiter %j", async (delimiter) => {
    const sheet = CSV.replaceAll(",", delimiter);
    const rows = TABLE.rows.map(({ row, texts }) => ({ row: row + 1, texts }));
    for (const line of [`sep=${delimiter}\n`, `\ufeffSEP=${delimiter}\r\n`]) {
      expect(await parse(line + sheet)).toEqual({ ...TABLE, header: 2, rows });
    }
  });

  test("in GB18030 with traditional and a few rare characters", async () => {
    // 當日獎品紅包 / 保溫杯手機 / 週末池端午節
    const traditional =
      "61776172645f6e616d652c7765696768740aae94c8d5aa84c6b7bc74b0fc2c310ab1a3" +
      "9cd8b1adcad699432c310adf4cc4a9b3d8b6cbcee7b99d2c310a";
    const { rows } = await parse(Buffer.from(traditional, "hex"));
    expect(rows.map((row) => row.texts["award_name"])).toEqual([
      "當日獎品紅包",
      "保溫杯手機",
      "週末池端午節",
    ]);
    const rare = `${Buffer.from("award_name,weight\n").toString("hex")}87d687d62c310a`;
    expect((await parse(Buffer.from(rare, "hex"))).rows[0]?.texts["award_name"]).toBe("囍囍");
  });

  test("with the delimiter that fits the header, whatever others occur", async () => {
    const { rows } = await parse('权重;奖品\n1;"a;b, c"\n2;d,e,f,g\n');
    expect(rows.map((row) => row.texts["award_name"])).toEqual(["a;b, c", "d,e,f,g"]);
  });

  test("without the apostrophe that guards against formulas, and with any other", async () => {
    const { rows } = await parse("weight,award_name\n1,'=1+1\n2,''=1\n3,'tis\n4,'-5元\n");
    expect(rows.map((row) => row.texts["award_name"])).toEqual(["=1+1", "'=1", "'tis", "-5元"]);
  });
});

describe("the header", () => {
  test.each([
    "award_name,weight",
    "Weight, AWARD_NAME ",
    "Award Name,权重",
    "ｗｅｉｇｈｔ,奖　品",
    "权重,备注,奖品,ID,__proto__,constructor",
  ])("may be %j", async (header) => {
    const names = header.split(",");
    const at = names.findIndex((name) => /name|奖/i.test(name) && !name.includes("__"));
    const cells = names.map((_, index) => (index === at ? "红包" : "7"));
    const { rows, faults } = await parse(`${header}\n${cells.join(",")}\n`);
    expect(faults).toEqual([]);
    expect(rows).toEqual([{ row: 2, texts: { award_name: "红包", weight: "7" } }]);
    expect({}).not.toHaveProperty("weight");
  });

  test("is the first row that is not blank, and rows keep their numbers", async () => {
    expect(await parse("\n,\n奖品,权重\n\na,1\n,\nb,2\n")).toMatchObject({
      header: 3,
      rows: [{ row: 5 }, { row: 7 }],
    });
  });

  test("names missing and repeated columns, even under two names", async () => {
    expect(await refusal("奖池,数量\na,1\n")).toEqual([
      "1 award_name column_missing",
      "1 weight column_missing",
    ]);
    expect(await refusal("\nweight,奖品,权重\n1,a,2\n")).toEqual(["2 weight column_twice"]);
    expect(await refusal("奖品,权重,奖池,奖池\na,1,b,b")).toEqual(["1 pool_name column_twice"]);
    const { faults } = await parse("奖品\na\n");
    expect(faults[0]?.values).toEqual({ field: "weight", label: "权重" });
  });
});

describe("a csv row", () => {
  test("longer than the header is a fault, because its values have moved", async () => {
    expect(await refusal("奖品,权重\n8,88元红包,3000\nb,2,\n")).toEqual(["2  row_too_long"]);
  });

  test("with unmatched quotes is a fault", async () => {
    expect(await refusal('奖品,权重\n"a,1\nb,2\n')).toEqual(["2  quotes_unbalanced"]);
    expect(await refusal('奖品,权重\na,1\n"b"c,2\nd,3\n')).toEqual(["3  quotes_unbalanced"]);
  });
});

test("the limit of rows does not count blank ones", async () => {
  const rows = (count: number) => `奖品,权重\n${"a,1\n\n".repeat(count)}`;
  expect((await parse(rows(5), 5)).rows).toHaveLength(5);
  expect(await refusal(rows(6), 5)).toBe("upload_too_many_rows");
});

test.each(["", " \n\n", "奖品,权重\n", "奖品,权重\n,\n"])("%j holds no data", async (content) => {
  expect(await refusal(content)).toBe("upload_empty");
});

describe.each(["prizes.xlsx", "prizes.xls"])("%s of LibreOffice", (name) => {
  test("is read from the sheet that fits: numbers, formulas by value, truth, rich text", async () => {
    const texts = (award_name: string, weight: string) => ({ award_name, weight });
    expect(await parse(testFile(name))).toEqual({
      sheet: "周末池",
      header: 1,
      fields: ["award_name", "weight"],
      rows: [
        { row: 2, texts: texts("8.88元红包", "3000") },
        { row: 3, texts: texts("1,288.00元红包", "6000") },
        { row: 5, texts: texts("手机 Pro", "0") },
      ],
      faults: [],
    });
  });

  test.each([10, 50, 90])("cut off at %i %% is damaged", async (percent) => {
    const bytes = testFile(name);
    const cut = bytes.subarray(0, Math.floor((bytes.length * percent) / 100));
    expect(await refusal(cut)).toBe("upload_broken");
  });
});

test("an xlsx with any byte changed is read as it was, or is damaged", async () => {
  const bytes = testFile("prizes.xlsx");
  const whole = await parse(bytes);
  const place = fc.nat({ max: bytes.length - 1 });
  const property = fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, flip) => {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ flip, at);
    const outcome = await parse(changed).catch((fault: unknown) => {
      expect(fault).toBeInstanceOf(AppError);
      return whole;
    });
    expect(outcome).toEqual(whole);
  });
  await fc.assert(property, { numRuns: 300 });
});

type Cells = (string | number | boolean | Date | XLSX.CellObject | null)[][];

function workbook(sheets: Readonly<Record<string, Cells>>, bookType: XLSX.BookType): Buffer {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    XLSX.utils.book_append_sheet(
      book,
      XLSX.utils.aoa_to_sheet(rows, { cellDates: true, UTC: true }),
      name,
    );
  }
  // With type `buffer` the library returns bytes.
  return XLSX.write(book, { type: "buffer", bookType, cellDates: true }) as Buffer;
}

const HEADER = ["奖品", "权重"];

describe.each(["xlsx", "biff8"] as const)("a workbook in %s", (type) => {
  test("is read from its first sheet that has every column", async () => {
    const sheets = {
      说明: [["请看"]],
      少: [["奖品"], ["x"]],
      甲: [HEADER, ["a", 1]],
      乙: [HEADER, ["b", 2]],
    };
    expect(await parse(workbook(sheets, type))).toMatchObject({
      sheet: "甲",
      rows: [{ texts: { award_name: "a" } }],
    });
  });

  test("reports what the closest sheet lacks when none fits", async () => {
    const sheets = { 说明: [["请看"]], 少: [["奖品"], ["x"]] };
    expect(await refusal(workbook(sheets, type))).toEqual(["1 weight column_missing"]);
    expect(await refusal(workbook({ 空: [] }, type))).toBe("upload_empty");
  });

  test("gives numbers as a spreadsheet shows them", async () => {
    const numbers = [8.88, 0.1 + 0.2, 1e9, 9_999_999_999.99, -0, 1e21, 1e-7, true, false];
    const rows = numbers.map((number) => ["a", number]);
    const { rows: read } = await parse(workbook({ A: [HEADER, ...rows] }, type));
    expect(read.map((row) => row.texts["weight"])).toEqual([
      "8.88",
      "0.3",
      "1000000000",
      "9999999999.99",
      "0",
      "1e+21",
      "1e-7",
      "true",
      "false",
    ]);
  });

  test("may hold no mark of a player, in a table or a list", async () => {
    const list = [{ field: "user_name", label: "账号", required: true, isBare: true }];
    const { faults } = await parseTable(workbook({ A: [["x"], ["\uE0007\uE001"]] }, type), list, 9);
    expect(faults).toMatchObject([{ row: 2, column: "user_name", key: "bad_characters" }]);
    const rows = [HEADER, ["\uE0007i\uE001", 1]];
    expect(await refusal(workbook({ A: rows }, type))).toEqual(["2 award_name bad_characters"]);
  });

  test("gives a date as a date, never as its number", async () => {
    const day = new Date(Date.UTC(2026, 10, 20));
    const { rows } = await parse(workbook({ A: [HEADER, ["a", day]] }, type));
    expect(rows[0]?.texts["weight"]).toBe("2026-11-20");
  });

  test("may have notes beside its table, but no formula errors in it", async () => {
    const error = { t: "e", v: 23 } as const;
    const rows = [HEADER, ["a", 1, "note"], ["b", error]];
    expect(await refusal(workbook({ A: rows }, type))).toEqual(["3 weight cell_error"]);
  });
});

/** Builds a record of the xls format: number, length, two-byte fields, text. */
function record(number: number, fields: readonly number[], bytes: Buffer = Buffer.alloc(0)) {
  const content = Buffer.concat([Buffer.from(Uint16Array.from(fields).buffer), bytes]);
  const head = Uint16Array.from([number, content.length]);
  return Buffer.concat([Buffer.from(head.buffer), content]);
}

/** Builds a workbook of 1995 with one sheet. Its text is in `codePage`. */
function oldWorkbook(codePage: number, rows: readonly (readonly Buffer[])[]): Buffer {
  const bof = (kind: number) => record(0x0809, [0x0500, kind, 0, 0]);
  const eof = record(0x000a, []);
  const start = [bof(5), record(0x0042, [codePage])];
  const length = Buffer.concat(start).length + 4 + 8 + eof.length;
  const sheet = record(0x0085, [length, 0, 0], Buffer.from("\u0001A"));
  const labels = rows.flatMap((row, r) =>
    row.map((text, c) => record(0x0204, [r, c, 0, text.length], text)),
  );
  const stream = Buffer.concat([...start, sheet, eof, bof(0x10), ...labels, eof]);
  const container: unknown = XLSX.CFB.utils.cfb_new({ root: "R" });
  XLSX.CFB.utils.cfb_add(container, "/Book", stream);
  return Buffer.from(XLSX.CFB.write(container, { type: "buffer" }) as Uint8Array);
}

test("an xls of 1995 keeps its Chinese", async () => {
  const header = ["award_name", "weight"].map((text) => Buffer.from(text));
  const phone = Buffer.from("cad6bbfa", "hex");
  const bytes = oldWorkbook(936, [header, [phone, Buffer.from("1")]]);
  expect((await parse(bytes)).rows).toEqual([
    { row: 2, texts: { award_name: "手机", weight: "1" } },
  ]);
});

const TABLE_XML = rowXml(["award_name", "weight"]) + rowXml(["a", "1"]);

const blankAt = (row: number, column: string) =>
  `<row r="${row}"><c r="${column}${row}" t="str"><v> </v></c></row>`;

test.each([
  [
    "blank cells a billion places apart",
    Array.from({ length: 60_000 }, (_, row) => blankAt(row + 1, "XFD")).join(""),
    "upload_empty",
  ],
  ["a blank row at the hundred millionth place", blankAt(99_999_999, "A"), "upload_empty"],
  ["a blank cell in the 321 millionth column", blankAt(1, "ZZZZZZ"), "upload_empty"],
])("%s cost nothing to pass over", async (_name, rowsXml, key) => {
  expect(await refusal(await zipOf(workbookParts(rowsXml)))).toBe(key);
});

test("an xlsx that holds a sheet twice is damaged", async () => {
  const parts = { ...workbookParts(TABLE_XML), "xl/worksheets/Sheet1.xml": "<worksheet/>" };
  expect(await refusal(await zipOf(parts))).toBe("upload_broken");
});

test("an encrypted xlsx that is no compound file is recognised by its zip", async () => {
  const zip = await zipOf(workbookParts(TABLE_XML));
  const encrypted = withLie(zip, "xl/worksheets/sheet1.xml", "flags", 0x0801);
  expect(await refusal(encrypted)).toBe("upload_encrypted");
});

test("a note in the last row of a sheet does no harm", async () => {
  const last = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  const { rows } = await parse(await zipOf(workbookParts(TABLE_XML + last)));
  expect(rows).toEqual([{ row: 2, texts: { award_name: "a", weight: "1" } }]);
});

describe("the reading thread has limits, and no file keeps it from reading the next:", () => {
  async function read(bytes: Buffer) {
    return await readTable(bytes, COLUMNS, 10_000);
  }

  async function expectRead(): Promise<void> {
    expect((await read(testFile("prizes.xlsx"))).rows).toHaveLength(3);
  }

  test("files are read one after the other, each with its own answer", async () => {
    const [one, broken, other] = await Promise.allSettled([
      read(testFile("prizes.xls")),
      read(testFile("encrypted.xls")),
      read(Buffer.from("奖品,权重\na,1\n")),
    ]);
    expect(one).toMatchObject({ status: "fulfilled", value: { sheet: "周末池" } });
    expect(broken).toMatchObject({ status: "rejected", reason: { key: "upload_encrypted" } });
    expect(other).toMatchObject({ status: "fulfilled", value: { rows: [{ row: 2 }] } });
  });

  test("a file that takes too long is unavailable for now, not bad", async () => {
    const file = testFile("prizes.xlsx");
    const hurried = readTable(file, COLUMNS, 10_000, 0);
    await expect(hurried).rejects.toMatchObject({ key: "unavailable" });
    await expectRead();
  });

  test("a file that takes too much memory is given up", async () => {
    const row = `<row>${"<c><v>1</v></c>".repeat(200)}</row>`;
    const file = await zipOf(workbookParts(rowXml(["award_name", "weight"]) + row.repeat(5_000)));
    expect(file.length).toBeLessThan(100_000);
    await expect(read(file)).rejects.toMatchObject({ key: "upload_too_complex" });
    await expectRead();
  });
});
