/**
 * Server-sent events. A stream holds at most the newest event of each name beside what the socket took, so a slow reader
 * costs no memory: it misses what was replaced, and is dropped when it takes nothing from one heartbeat to the next.
 */
import { Readable } from "node:stream";
import { languageOf } from "@red/contract/texts";
import { STREAM_END } from "@red/contract/watch";
import { errorEnvelope, toAppError } from "./answer.ts";
import type { FastifyReply } from "fastify";

export const EVENT_STREAM = "text/event-stream";

const HEARTBEAT_MS = 15_000;
/** So long after its end a session's streams end. */
const CHECK_MS = 2_000;

export interface EventSink {
  send(event: string, json: string): void;
  /** Ends the stream with the refusal. */
  end(fault: unknown): void;
}

/** Starts to send; answers how to stop that. */
export type EventSource = (sink: EventSink) => () => void;
export type EventStreams = ReturnType<typeof openEventStreams>;

export function openEventStreams() {
  const open = new Set<() => void>();

  /** Sends until the client leaves, `check` throws (the caller may not listen any more), or the server stops. */
  function send(
    reply: FastifyReply,
    source: EventSource,
    check: () => Promise<unknown>,
  ): FastifyReply {
    const pending = new Map([["", "retry: 2000\n\n"]]);
    let isWanted = false;
    const flush = () => {
      for (const [name, text] of pending) {
        isWanted &&= pending.delete(name) && readable.push(text);
      }
    };
    const want = () => ((isWanted = true), flush());
    const readable = new Readable({ read: want });
    const put = (name: string, text: string) => (pending.set(name, text), flush());
    const textOf = (event: string, json: string) => `event: ${event}\ndata: ${json}\n\n`;
    let leave = () => {};
    const close = (last = "") => {
      if (open.delete(close)) {
        clearInterval(beat);
        clearInterval(checking);
        leave();
        readable.push(last);
        readable.push(null);
      }
    };
    const end = (fault: unknown) => {
      const language = languageOf(reply.request.headers["accept-language"]);
      const refusal = errorEnvelope(toAppError(fault, reply.request.id), language);
      close(textOf(STREAM_END, JSON.stringify(refusal)));
    };
    const beat = setInterval(() => {
      void (pending.has(":") && readable.destroy());
      put(":", ":\n\n");
    }, HEARTBEAT_MS);
    const checking = setInterval(() => void check().catch(end), CHECK_MS);
    open.add(close);
    readable.once("close", () => close());
    leave = source({ send: (event, json) => put(event, textOf(event, json)), end });
    return reply.type(EVENT_STREAM).header("x-accel-buffering", "no").send(readable);
  }

  return { send, open: () => open.size, close: () => open.forEach((close) => close()) };
}
