/** Requests that never become one: unreadable, too long in their head, unfinished, or larger than we read. */
import { STATUS_CODES } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AppError, ERRORS } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
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

/** The path as far as the packet shows it: often there is no request yet that would know. */
function pathIn(packet: unknown): string {
  const text = Buffer.isBuffer(packet) ? packet.toString("latin1", 0, 200) : "";
  return /^[A-Z]+ (\S+)/.exec(text)?.[1] ?? "";
}

const urls = new WeakMap<Socket, string>();

/** Remembers what a connection asks for last: when its time is over, Node shows no packet. */
export function noteUrl({ socket, url = "" }: IncomingMessage): void {
  urls.set(socket, url);
}

/** Answers what the parser of HTTP refuses, as every other refusal is answered, and hangs up. */
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
    "connection: close",
  ];
  if (socket.writable) {
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  }
  socket.destroySoon();
}

const READ_ON_MS = 5_000;

/**
 * Reads on what is refused, up to `max` bytes, and throws it away, for a while: a caller that is still
 * sending would see its connection break in place of the answer. Nothing is read of what is said to be
 * longer. Answers whether the request is over.
 */
export async function readOn(request: IncomingMessage, max: number): Promise<boolean> {
  const { headers } = request;
  const told = headers["transfer-encoding"] === undefined ? (headers["content-length"] ?? 0) : 1;
  const isOver = () => request.complete || request.readableEnded || Number(told) === 0;
  if (isOver() || request.destroyed || Number(told) > max) {
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
    // Whoever read it before has stopped, perhaps in the middle.
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
