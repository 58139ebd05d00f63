/** Uploads: the one file of a multipart body. */
import { AppError, found } from "@red/contract/platform/errors";
import { UPLOAD_BYTES_MAX, UPLOAD_TYPES } from "@red/contract/platform/limits";
import type { Multipart, MultipartFile } from "@fastify/multipart";
import { workbookKind } from "#tables/parse-table";
import type { UploadedFile } from "./handlers.ts";
import type { FastifyRequest } from "fastify";

/** Field of the file (spec §7). */
export const FILE_FIELD = "poolFile";

export interface Upload {
  readonly file: UploadedFile;
  readonly fields: Readonly<Record<string, string>>;
  /** The session's token, sent beside the fields (spec §7); empty without one. */
  readonly token: string;
  /** A one-time code, as typed; empty without one. */
  readonly code: string;
}

function isTooLarge(fault: unknown): boolean {
  return fault instanceof Error && "statusCode" in fault && fault.statusCode === 413;
}

/** The file's bytes; throws `upload_too_large` from the limit on. */
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

/** The parts of the form; a form that cannot be parsed is the sender's fault. */
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
 * Reads the form into memory. Throws `upload_missing` without a file, `upload_too_large` from 1,048,576
 * bytes on, `upload_many` for a second file, `upload_broken` for a form that is cut short or malformed; but
 * `ask`, which gets the token read so far, throws first: a caller without permission gets that refusal.
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
 * The bytes, if they match the file name. Throws `upload_type` for an ending not in `types`,
 * `upload_not_as_named` for text named as a workbook or the reverse. Either kind of workbook may have
 * either ending: an xlsx with a password is an xls inside.
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
