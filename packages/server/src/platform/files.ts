/** Reads the one file of a multipart upload. */
import { AppError, found } from "@red/contract/platform/errors";
import { UPLOAD_BYTES_MAX, UPLOAD_TYPES } from "@red/contract/platform/limits";
import type { Multipart, MultipartFile } from "@fastify/multipart";
import { workbookKind } from "#tables/parse-table";
import type { UploadedFile } from "./handlers.ts";
import type { FastifyRequest } from "fastify";

/** Name of the form field that contains the file (spec §7). */
export const FILE_FIELD = "poolFile";

export interface Upload {
  readonly file: UploadedFile;
  readonly fields: Readonly<Record<string, string>>;
  /** The session token from the form (spec §7), or empty. */
  readonly token: string;
  /** The one-time code as typed, or empty. */
  readonly code: string;
}

function isTooLarge(fault: unknown): boolean {
  return fault instanceof Error && "statusCode" in fault && fault.statusCode === 413;
}

/** Returns the bytes of the file. Throws `upload_too_large` at UPLOAD_BYTES_MAX bytes or more. */
async function bytesOf(part: MultipartFile): Promise<Buffer> {
  try {
    const bytes = await part.toBuffer();
    if (bytes.length < UPLOAD_BYTES_MAX) {
      return bytes;
    }
  } catch (fault) {
    throw isTooLarge(fault) ? new AppError("upload_too_large") : new AppError("upload_broken");
  }
  throw new AppError("upload_too_large");
}

function isSecondFile(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "FST_FILES_LIMIT";
}

/** Yields the parts of the form. A form that cannot be parsed is an error of the sender. */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
  const limits = { fileSize: UPLOAD_BYTES_MAX, files: 1, fields: 16, fieldSize: 4096 };
  try {
    yield* request.parts({ limits });
  } catch (fault) {
    if (isSecondFile(fault)) {
      throw new AppError("upload_many");
    }
    throw isTooLarge(fault) ? fault : new AppError("upload_broken");
  }
}

/**
 * Reads the form into memory. Throws `upload_missing` without a file, `upload_too_large` at 1,048,576 bytes or more,
 * `upload_many` for a second file, `upload_broken` for an incomplete or malformed form. Before each of these errors
 * `ask` runs with the token read so far, so a caller without permission gets the permission error.
 */
export async function readUpload(
  request: FastifyRequest,
  ask: (token: string) => Promise<unknown>,
): Promise<Upload> {
  const fields: Record<string, string> = {};
  const file = await readFile(request, fields).catch(async (fault: unknown) => {
    await ask(fields["token"] ?? "");
    throw fault;
  });
  const { token = "", code = "", ...others } = fields;
  return { file, fields: others, token, code };
}

async function readFile(request: FastifyRequest, fields: Record<string, string>) {
  if (!request.isMultipart()) {
    throw new AppError("upload_missing");
  }
  let file: UploadedFile | null = null;
  for await (const part of partsOf(request)) {
    if (part.type === "field") {
      fields[part.fieldname] = String(part.value);
    } else {
      const bytes = await bytesOf(part);
      if (part.fieldname === FILE_FIELD) {
        file = { filename: part.filename, bytes };
      }
    }
  }
  return found(file, "upload_missing");
}

/**
 * Returns the bytes if they match the file name. Throws `upload_type` for a file ending that is not in `types`, and
 * `upload_not_as_named` for text named as a workbook or the reverse. Both kinds of workbook may have both endings,
 * because an xlsx with a password is an xls inside.
 */
export function bytesAsNamed(
  { filename, bytes }: UploadedFile,
  types: readonly string[] = UPLOAD_TYPES,
): Buffer {
  const type = /\.(\w+)$/.exec(filename)?.[1]?.toLowerCase() ?? "";
  if (!types.includes(type)) {
    throw new AppError("upload_type");
  }
  if (type.startsWith("xls") !== (workbookKind(bytes) !== undefined)) {
    throw new AppError("upload_not_as_named", { type });
  }
  return bytes;
}
