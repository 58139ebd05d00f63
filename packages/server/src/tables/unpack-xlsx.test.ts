import { AppError } from "@red/contract/errors";
import { describe, expect, test } from "vitest";
import { testFile } from "#test/upload";
import { withLie, workbookParts, zipOf } from "#test/zip";
import type { ZipContent } from "#test/zip";
import { ENTRIES_MAX, INFLATED_BYTES_MAX, unpackXlsx } from "./unpack-xlsx.ts";

const SHEET = "xl/worksheets/sheet1.xml";
const parts = workbookParts("<row/>");

async function refusal(zip: Buffer): Promise<string> {
  try {
    const unpacked = await unpackXlsx(zip);
    return `unpacked ${unpacked.length}`;
  } catch (fault) {
    if (fault instanceof AppError) {
      return fault.key;
    }
    throw fault;
  }
}

/** A workbook whose parts are so many bytes together. */
function sized(bytes: number): ZipContent {
  const rest = Object.values(parts).reduce<number>(
    (sum, part) => sum + Buffer.byteLength(String(part)),
    0,
  );
  return { ...parts, "xl/sharedStrings.xml": bytes - rest };
}

describe("a workbook is unpacked", () => {
  test("with the parts that hold its tables, as they were packed", async () => {
    const unpacked = await unpackXlsx(await zipOf({ ...parts, "docProps/core.xml": "<x/>" }));
    const texts = Object.fromEntries(unpacked.map((part) => [part.name, String(part.content)]));
    expect(texts).toEqual(parts);
  });

  test("whatever pictures and programs are in it: they stay packed", async () => {
    const rest = { "xl/media/image1.bmp": 2 * INFLATED_BYTES_MAX, "xl/vbaProject.bin": "MZ" };
    expect(await refusal(await zipOf({ ...parts, ...rest }))).toBe("unpacked 4");
  });

  test("up to the bound, and not one byte more", async () => {
    expect(await refusal(await zipOf(sized(INFLATED_BYTES_MAX)))).toBe("unpacked 5");
    expect(await refusal(await zipOf(sized(INFLATED_BYTES_MAX + 1)))).toBe("upload_too_complex");
  });
});

describe("a bomb", () => {
  const bomb = zipOf({ ...parts, [SHEET]: 300_000_000 });

  test("of 300 MB in 300 KB is refused before it is opened", async () => {
    const zip = await bomb;
    expect(zip.length).toBeLessThan(310_000);
    const before = process.cpuUsage();
    expect(await refusal(zip)).toBe("upload_too_complex");
    const { user, system } = process.cpuUsage(before);
    // Microseconds of a processor, of which opening it takes some hundred thousands.
    expect(user + system).toBeLessThan(100_000);
  });

  test("that says it is small is given up where it breaks its word", async () => {
    const zip = withLie(await bomb, SHEET, "size", 1000);
    const before = process.memoryUsage().rss;
    expect(await refusal(zip)).toBe("upload_broken");
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  test("of many files is refused", async () => {
    const many = Array.from({ length: ENTRIES_MAX }, (_, at): [string, string] => [`x/${at}`, ""]);
    const zip = await zipOf({ ...parts, ...Object.fromEntries(many) });
    expect(await refusal(zip)).toBe("upload_too_complex");
  });
});

test.each([
  ["says a wrong size", (zip: Buffer) => withLie(zip, SHEET, "size", 5), "upload_broken"],
  ["says a larger size", (zip: Buffer) => withLie(zip, SHEET, "size", 9999), "upload_broken"],
  ["says a wrong checksum", (zip: Buffer) => withLie(zip, SHEET, "crc", 5), "upload_broken"],
  ["is encrypted", (zip: Buffer) => withLie(zip, SHEET, "flags", 0x0801), "upload_encrypted"],
  ["is cut off", (zip: Buffer) => zip.subarray(0, -30), "upload_broken"],
  ["is empty after its first bytes", (zip: Buffer) => zip.subarray(0, 4), "upload_broken"],
])("a zip that %s is refused", async (_name, spoil, key) => {
  expect(await refusal(spoil(await zipOf(parts)))).toBe(key);
});

test("a part that is there twice is refused, also in other letters", async () => {
  const twice = { ...parts, "XL/Worksheets/Sheet1.xml": "<x/>" };
  expect(await refusal(await zipOf(twice))).toBe("upload_broken");
});

test("a path out of the zip is refused", async () => {
  const zip = await zipOf({ ...parts, "xl/media/x/y.png": "x" });
  const climbing = Buffer.from(
    zip.toString("latin1").replaceAll("xl/media/x/y.png", "xl/../../../x.pn"),
    "latin1",
  );
  expect(await refusal(climbing)).toBe("upload_broken");
});

test("a zip without a workbook is no spreadsheet", async () => {
  expect(await refusal(await zipOf({ "word/document.xml": "<x/>" }))).toBe("upload_type");
  expect(await refusal(testFile("prizes-ods.xlsx"))).toBe("upload_type");
});
