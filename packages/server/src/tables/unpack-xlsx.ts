/**
 * Takes the parts of an xlsx that hold its tables out of the zip, within bounds. Sizes that the zip
 * declares are held against what comes out, so that a small file cannot become a large one in memory.
 */
import { crc32 } from "node:zlib";
import { AppError } from "@red/contract/errors";
import { fromBufferPromise } from "yauzl";
import type { Entry, ZipFile } from "yauzl";

/** Most bytes of all parts together. 10,000 rows of a prize file are about 3 MB. */
export const INFLATED_BYTES_MAX = 16 * 1024 * 1024;
export const ENTRIES_MAX = 256;

const WORKBOOK = "xl/workbook.xml";

/** The workbook, its strings and styles, and its sheets; no pictures, themes or macros. */
const PART =
  /^(?:\[content_types\]\.xml|xl\/[\w .()-]+\.xml|xl\/_rels\/[\w .()-]+\.rels|xl\/worksheets\/[\w .()-]+\.xml)$/i;

/** One file of the zip. */
export interface Part {
  readonly name: string;
  readonly content: Buffer;
}

/** The entries that are read; throws what forbids reading them. */
async function chooseEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > ENTRIES_MAX) {
    throw new AppError("upload_too_complex");
  }
  const chosen = new Map<string, Entry>();
  let bytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entry.isEncrypted()) {
      throw new AppError("upload_encrypted");
    }
    if (chosen.has(name)) {
      throw new AppError("upload_broken");
    }
    if (PART.test(name)) {
      chosen.set(name, entry);
      bytes += entry.uncompressedSize;
    }
  }
  if (!chosen.has(WORKBOOK)) {
    throw new AppError("upload_type");
  }
  if (bytes > INFLATED_BYTES_MAX) {
    throw new AppError("upload_too_complex");
  }
  return [...chosen.values()];
}

/** Inflates one entry into exactly as many bytes as it declares. */
async function inflate(zip: ZipFile, entry: Entry): Promise<Part> {
  const content = Buffer.alloc(entry.uncompressedSize);
  let at = 0;
  const stream = await zip.openReadStreamPromise(entry);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (at + chunk.length > content.length) {
      throw new AppError("upload_broken");
    }
    at += chunk.copy(content, at);
  }
  if (at !== content.length || crc32(content) !== entry.crc32) {
    throw new AppError("upload_broken");
  }
  return { name: entry.fileName, content };
}

/**
 * The parts of an xlsx. Throws `upload_type` for any other zip, `upload_encrypted`,
 * `upload_too_complex` beyond the bounds, `upload_broken` when the zip does not hold what it says.
 */
export async function unpackXlsx(bytes: Buffer): Promise<Part[]> {
  try {
    const zip = await fromBufferPromise(bytes);
    const parts: Part[] = [];
    for (const entry of await chooseEntries(zip)) {
      parts.push(await inflate(zip, entry));
    }
    return parts;
  } catch (fault) {
    throw fault instanceof AppError ? fault : new AppError("upload_broken", {});
  }
}
