/** Opens an Excel file with nothing of the product: the texts of its first sheet, row by row. */
import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;

/** One file of the archive; throws when there is none of that name. */
function unpack(archive: Buffer, wanted: string): string {
  let end = archive.length - 22;
  while (end > 0 && archive.readUInt32LE(end) !== END) {
    end -= 1;
  }
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < count && archive.readUInt32LE(at) === ENTRY; entry += 1) {
    const [name, extra, note] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const start = at + 46;
    const next = start + (name ?? 0) + (extra ?? 0) + (note ?? 0);
    if (archive.toString("utf8", start, start + (name ?? 0)) === wanted) {
      const local = archive.readUInt32LE(at + 42);
      const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const packed = archive.subarray(from, from + archive.readUInt32LE(at + 20));
      const isPacked = archive.readUInt16LE(at + 10) !== 0;
      return (isPacked ? inflateRawSync(packed) : packed).toString("utf8");
    }
    at = next;
  }
  throw new Error(`the archive has no ${wanted}`);
}

const ESCAPES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** Rows of the first sheet, whose cells hold their texts themselves. */
export function rowsOf(archive: Buffer): string[][] {
  const sheet = unpack(archive, "xl/worksheets/sheet1.xml");
  return [...sheet.matchAll(/<row\b[^>]*>(.*?)<\/row>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<c\b[^>]*?(?:\/>|>(.*?)<\/c>)/gs)].map(([, cell = ""]) =>
      cell
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/&(\w+);/g, (whole, name: string) => ESCAPES[name] ?? whole),
    ),
  );
}
