/** Valid zips, and zips with false headers. */
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** Content by path. A number means so many blanks, generated while packing. */
export type ZipContent = Readonly<Record<string, string | Buffer | number>>;

const BLANKS = Buffer.alloc(1024 * 1024, 0x20);

function* blanks(count: number): Generator<Buffer> {
  for (let left = count; left > 0; left -= BLANKS.length) {
    yield BLANKS.subarray(0, left);
  }
}

export async function zipOf(content: ZipContent): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, file] of Object.entries(content)) {
    if (typeof file === "number") {
      zip.addReadStream(Readable.from(blanks(file)), path);
    } else {
      zip.addBuffer(Buffer.from(file), path);
    }
  }
  zip.end();
  // yazl types its output as the plain interface; it is a PassThrough.
  return await buffer(zip.outputStream as Readable);
}

/** The files of a workbook with one sheet, 周末池. */
export function workbookParts(rowsXml: string): Record<string, string | Buffer | number> {
  const types = `${PACKAGE}/content-types`;
  const document = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  return {
    "[Content_Types].xml":
      `<Types xmlns="${types}"><Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${document}.sheet.main+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${document}.sharedStrings+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${document}.worksheet+xml"/></Types>`,
    "xl/workbook.xml":
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
      '<sheet name="周末池" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" ` +
      `Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${MAIN}"><sheetData>${rowsXml}</sheetData></worksheet>`,
  };
}

export function rowXml(texts: readonly string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join("")}</row>`;
}

/** An entry of the central directory. */
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_FIELDS = { flags: 8, crc: 16, size: 24 } as const;

/** Changes one field of a file's directory entry. */
export function withLie(
  zip: Buffer,
  path: string,
  field: keyof typeof DIRECTORY_FIELDS,
  value: number,
): Buffer {
  const bytes = Buffer.from(zip);
  const name = bytes.lastIndexOf(path);
  const entry = name - 46;
  if (name < 0 || bytes.readUInt32LE(entry) !== DIRECTORY_ENTRY) {
    throw new Error(`${path} is not in the directory`);
  }
  const at = entry + DIRECTORY_FIELDS[field];
  if (field === "flags") {
    bytes.writeUInt16LE(value, at);
  } else {
    bytes.writeUInt32LE(value, at);
  }
  return bytes;
}
