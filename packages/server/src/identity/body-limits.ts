/** Limits which callers may send a large body, and how many bodies at a time (decision 0014). */
import { finished, Readable } from "node:stream";
import { AppError } from "@red/contract/platform/errors";
import { INGEST_BYTES_MAX } from "@red/contract/platform/limits";
import { isPlatformPath } from "#platform/http/answer";
import { ANYBODYS_BYTES_MAX, FORM_BYTES_MAX } from "#platform/http/mount";
import { existingKey } from "./key-auth.ts";
import type { KeyMemory } from "./key-auth.ts";
import { identifyOperator } from "./operator-auth.ts";
import type { AuthDeps } from "./operator-auth.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from "fastify";

/** Maximum number of large bodies that one caller may send at the same time. */
const UNFINISHED_MAX = 4;
/** All forms without a token in the headers count as one caller, because their token may be in the body. */
const FORMS = "forms";

function requireWithin(bytes: number, { routeOptions: { bodyLimit } }: FastifyRequest): void {
  if (bytes > bodyLimit) {
    throw new AppError(bodyLimit === FORM_BYTES_MAX ? "upload_too_large" : "body_too_large");
  }
}

/** Requests whose caller is identified. */
const known = new WeakSet<FastifyRequest>();

/**
 * Maximum number of bytes read from a rejected body, so that its sender still gets the answer. The limit is
 * 0 for an unknown caller that declares no length.
 */
export function restLimitOf(request: FastifyRequest): number {
  const ofStranger = request.headers["transfer-encoding"] === undefined ? FORM_BYTES_MAX : 0;
  return known.has(request) ? 4 * INGEST_BYTES_MAX : ofStranger;
}

export interface BodyLimitDeps extends AuthDeps {
  readonly keys: KeyMemory;
}

/** Identifies the caller by the request headers. Throws the error for a missing or wrong token or key. */
async function callerOf(request: FastifyRequest, deps: BodyLimitDeps): Promise<string> {
  if (isPlatformPath(request.url)) {
    return `key ${(await existingKey(request, deps.keys)).key}`;
  }
  try {
    return `operator ${(await identifyOperator(request, deps)).id}`;
  } catch (fault) {
    if (fault instanceof AppError && request.routeOptions.bodyLimit === FORM_BYTES_MAX) {
      return FORMS;
    }
    throw fault;
  }
}

/**
 * Accepts bodies above 65,536 bytes only from known callers, and at most four at a time per caller. Rejects
 * other large bodies before reading the rest.
 */
export function guardBodies(app: FastifyInstance, deps: BodyLimitDeps): void {
  const unfinished = new Map<string, Set<symbol>>();

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.routeOptions.bodyLimit <= ANYBODYS_BYTES_MAX) {
      return;
    }
    const caller = await callerOf(request, deps);
    if (caller !== FORMS) {
      known.add(request);
    }
    const bodies = unfinished.get(caller) ?? new Set();
    if (bodies.size >= UNFINISHED_MAX) {
      throw new AppError("too_many_requests", { seconds: 1 });
    }
    const body = Symbol(caller);
    unfinished.set(caller, bodies.add(body));
    finished(request.raw, { writable: false }, () => bodies.delete(body));
    // If the server does not read the rest of a request, the request never ends, but the response does.
    finished(reply.raw, () => bodies.delete(body));
  }

  async function* counted(request: FastifyRequest, reply: FastifyReply): AsyncGenerator<Buffer> {
    let bytes = 0;
    // Keeps the connection open, so that an error in the middle of a body can be answered.
    const parts: AsyncIterable<Buffer> = request.raw.iterator({ destroyOnReturn: false });
    for await (const part of parts) {
      if (bytes <= ANYBODYS_BYTES_MAX && bytes + part.length > ANYBODYS_BYTES_MAX) {
        await admit(request, reply);
      }
      bytes += part.length;
      requireWithin(bytes, request);
      yield part;
    }
  }

  /** Called for bodies that are large or of unknown length. */
  async function guarded(request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) {
    const { headers } = request;
    const isUndeclared = headers["transfer-encoding"] !== undefined;
    // Only forms still have their content type here; they are read from the connection itself.
    if (isUndeclared && headers["content-type"] === undefined) {
      return Readable.from(counted(request, reply));
    }
    await admit(request, reply);
    requireWithin(Number(headers["content-length"] ?? 0), request);
    return payload;
  }

  app.addHook("preParsing", (request, reply, payload, done) => {
    const { headers } = request;
    const isSmall = Number(headers["content-length"] ?? 0) <= ANYBODYS_BYTES_MAX;
    if (isSmall && headers["transfer-encoding"] === undefined) {
      // Almost every call takes this path, so this path creates no promise.
      done(null, payload);
    } else {
      guarded(request, reply, payload).then((stream) => done(null, stream), done);
    }
  });
}
