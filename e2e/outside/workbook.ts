/** Reads the system's files as rows of text, independently of the packages' readers. */
import { inflateRawSync } from "node:zlib";

/** Rows of a CSV file with byte order mark, CRLF and quotes as in RFC 4180. */
export function csvRows(file: Buffer): string[][] {
  const text = file.toString("utf8");
  if (!text.startsWith("\uFEFF") || !text.endsWith("\r\n")) {
    throw new Error("no byte order mark, or a last line that does not end");
  }
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text
    .slice(1)
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

/** One file of a zip archive, found through its central directory. */
function unzipped(archive: Buffer, name: string): Buffer {
  const end = archive.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  let at = archive.readUInt32LE(end + 16);
  while (archive.toString("latin1", at, at + 4) === "PK\u0001\u0002") {
    const [nameLength, extraLength] = [
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
    ];
    if (archive.toString("utf8", at + 46, at + 46 + nameLength) === name) {
      const local = archive.readUInt32LE(at + 42);
      const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const bytes = archive.subarray(from, from + archive.readUInt32LE(at + 20));
      return archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
    }
    at += 46 + nameLength + extraLength + archive.readUInt16LE(at + 32);
  }
  throw new Error(`no ${name} in the archive`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Rows of a sheet, the first by default, with the cells in order: inline strings, numbers and empty ones. */
export function xlsxRows(file: Buffer, sheet = 1): string[][] {
  const xml = unzipped(file, `xl/worksheets/sheet${sheet}.xml`).toString("utf8");
  return [...xml.matchAll(/<row[^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, cells = ""]) =>
    [...cells.matchAll(/<c\b[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = ""]) => {
      const [, value = ""] = /<(?:v|t)\b[^>]*>(.*?)<\/(?:v|t)>/s.exec(cell) ?? [];
      return value.replaceAll(/&(\w+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole);
    }),
  );
}

/** Lines of count and money in the Excel file of a round's sheet, by label; the first of each label. */
export function sheetFigures(file: Buffer): Map<string, { count: number; amount: string }> {
  const lines = xlsxRows(file).filter(([, count = "", amount = ""]) =>
    [count, amount].every((text) => text !== "" && Number.isFinite(Number(text))),
  );
  return new Map(
    lines
      .toReversed()
      // A number in the file has no trailing zeros.
      .map(([label = "", count, amount]) => [
        label,
        { count: Number(count), amount: Number(amount).toFixed(2) },
      ]),
  );
}
