/**
 * Server-sent events. A stream holds at most the newest event of each name beside what the socket took, so a slow reader
 * costs no memory: it misses what was replaced meanwhile, and is dropped when it takes nothing from one heartbeat to the
 * next.
 */
import { Readable } from "node:stream";
import { AppError } from "@red/contract/errors";
import type { Language } from "@red/contract/texts";
import { STREAM_END } from "@red/contract/watch";
import { errorEnvelope, toAppError } from "./answer.ts";
import { startLoop } from "./upkeep-job.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The media type of a stream. */
export const EVENT_STREAM = "text/event-stream";

const HEARTBEAT_MS = 15_000;
/** So long after its end a session's streams go on at most. */
const CHECK_MS = 2_000;
/** A client that lost its connection waits so long before it comes back. */
const RETRY_MS = 2_000;
const STREAMS_MAX = 500;
/** The name of what keeps proxies from closing it. */
const HEARTBEAT = ":";

const messageOf = (event: string, json: string) => `event: ${event}\ndata: ${json}\n\n`;

export interface EventSink {
  /** The newest data of an event, as JSON. */
  send(event: string, json: string): void;
  /** Ends the stream with the refusal. */
  end(fault: unknown): void;
}

/** Starts to send; answers how to stop that. */
export type EventSource = (sink: EventSink) => () => void;

export interface EventStreams {
  /** Sends until the client leaves, `check` throws, or the server stops. */
  send(options: SendOptions): FastifyReply;
  /** How many are open. */
  open(): number;
  close(): void;
}

interface SendOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly language: Language;
  readonly source: EventSource;
  /** Throws when the caller may not listen any more. */
  readonly check: () => Promise<unknown>;
}

/** A readable of the newest text of each name. */
function newestFirstOut() {
  const pending = new Map<string, string>();
  let isWanted = false;
  const flush = () => {
    for (const [name, text] of pending) {
      if (!isWanted) {
        return;
      }
      pending.delete(name);
      isWanted = readable.push(text);
    }
  };
  const readable = new Readable({
    read() {
      isWanted = true;
      flush();
    },
  });
  return {
    readable,
    isStuck: (name: string) => pending.has(name),
    put(name: string, text: string) {
      pending.set(name, text);
      flush();
    },
    /** The last text: what still waits is out of date by then. */
    finish(text: string) {
      readable.push(text);
      readable.push(null);
    },
  };
}

export function openEventStreams(heartbeatMs = HEARTBEAT_MS): EventStreams {
  const open = new Set<() => void>();

  function send({ request, reply, language, source, check }: SendOptions): FastifyReply {
    if (open.size >= STREAMS_MAX) {
      throw new AppError("overloaded", { seconds: RETRY_MS / 1_000 });
    }
    const out = newestFirstOut();
    let leave = () => {};
    const finish = (text: string) => {
      if (stop()) {
        out.finish(text);
      }
    };
    const close = () => finish("");
    const end = (fault: unknown) => {
      const refusal = errorEnvelope(toAppError(fault, request.id), language);
      finish(messageOf(STREAM_END, JSON.stringify(refusal)));
    };
    const beat = setInterval(() => {
      if (out.isStuck(HEARTBEAT)) {
        out.readable.destroy();
      }
      out.put(HEARTBEAT, ":\n\n");
    }, heartbeatMs);
    const checking = startLoop(async () => {
      await check().catch(end);
      return CHECK_MS;
    });
    /** Answers whether it was still open. */
    const stop = () => {
      clearInterval(beat);
      void checking.stop();
      leave();
      return open.delete(close);
    };
    open.add(close);
    out.readable.once("close", stop);
    out.put("", `retry: ${RETRY_MS}\n\n`);
    leave = source({ send: (event, json) => out.put(event, messageOf(event, json)), end });
    return reply.type(EVENT_STREAM).header("x-accel-buffering", "no").send(out.readable);
  }

  return {
    send,
    open: () => open.size,
    close: () => open.forEach((close) => close()),
  };
}
