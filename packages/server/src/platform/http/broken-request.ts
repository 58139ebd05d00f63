/**
 * Responds to requests that fastify does not handle: unreadable, unfinished, too large, or with a head that is too
 * long.
 */
import { STATUS_CODES } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AppError, ERRORS } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import { errorEnvelope, isPlatformPath, problemOf } from "./answer.ts";
import type { ConnectionError } from "fastify";

function keyOf(fault: ConnectionError): ErrorKey {
  switch (fault.code) {
    case "HPE_HEADER_OVERFLOW":
      return "head_too_large";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "request_timeout";
    default:
      return "request_unreadable";
  }
}

/** Returns the path from the raw packet, because often there is no request object yet. */
function pathIn(packet: unknown): string {
  const text = Buffer.isBuffer(packet) ? packet.toString("latin1", 0, 200) : "";
  return /^[A-Z]+ (\S+)/.exec(text)?.[1] ?? "";
}

const urls = new WeakMap<Socket, string>();

/** Remembers the last URL of a connection, because Node gives no packet on a timeout. */
export function noteUrl({ socket, url = "" }: IncomingMessage): void {
  urls.set(socket, url);
}

/** Sends an error in the usual form for a request that the HTTP parser rejected, and closes the connection. */
export function answerBroken(fault: ConnectionError, socket: Socket): void {
  if (fault.code === "ECONNRESET" || socket.destroyed) {
    return;
  }
  const key = keyOf(fault);
  const { status } = ERRORS[key];
  const isPlatform = isPlatformPath(pathIn(fault.rawPacket) || (urls.get(socket) ?? ""));
  const answer = isPlatform ? problemOf(key, "zh") : errorEnvelope(new AppError(key), "zh");
  const body = JSON.stringify(answer);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `content-type: application/${isPlatform ? "problem+json" : "json"}; charset=utf-8`,
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "content-security-policy: frame-ancestors 'none'",
    "x-content-type-options: nosniff",
    "connection: close",
  ];
  if (socket.writable) {
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

const READ_ON_MS = 5_000;

/**
 * Reads and discards the rest of a rejected body, up to `max` bytes and 5 s. Closing earlier would lose the response to
 * a caller that is still sending. Reads nothing if the declared length is larger than `max`. Returns true if the
 * request has ended.
 */
export async function readOn(request: IncomingMessage, max: number): Promise<boolean> {
  const { headers } = request;
  const declared =
    headers["transfer-encoding"] === undefined ? (headers["content-length"] ?? 0) : 1;
  const isOver = () => request.complete || request.readableEnded || Number(declared) === 0;
  if (isOver() || request.destroyed || Number(declared) > max) {
    return isOver();
  }
  await new Promise<void>((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, READ_ON_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    request.once("end", end).once("close", end);
    // An earlier reader may have stopped in the middle of the body.
    request.unpipe();
    request.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes > max) {
        end();
      }
    });
    request.resume();
  });
  return isOver();
}
