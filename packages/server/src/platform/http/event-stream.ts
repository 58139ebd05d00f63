/**
 * Sends server-sent events. A stream keeps only the newest event of each name, so a slow reader costs no memory but
 * misses replaced events. A reader that reads nothing between two heartbeats is disconnected.
 */
import { Readable } from "node:stream";
import { languageOf } from "@red/contract/platform/texts";
import { STREAM_END } from "@red/contract/watch/watch";
import { AppError } from "@red/contract/platform/errors";
import { errorEnvelope, toAppError } from "./answer.ts";
import { signedIn } from "#platform/handlers";
import type { EventSource, Operator } from "#platform/handlers";
import type { FastifyReply } from "fastify";

export const EVENT_STREAM = "text/event-stream";

const HEARTBEAT_MS = 15_000;
/** The streams of an ended session end within this time. */
const CHECK_MS = 2_000;
/**
 * Maximum number of open streams in this process. A browser needs one stream for all its tabs; programs may need more.
 */
export const STREAMS_OF_SESSION_MAX = 5;
export const STREAMS_OF_OPERATOR_MAX = 15;

export type EventStreams = ReturnType<typeof openEventStreams>;

interface Seat {
  /** The operator when the stream was opened. */
  readonly operator: Operator;
  /** Receives the current operator of the session, or the error that ended the session. */
  take: (now: Operator | AppError) => void;
}

/**
 * Reads the sessions in one query. The returned function gives the current operator of a session, or the error that
 * ended the session.
 */
export type CheckSessions = (
  hashes: readonly Buffer[],
) => Promise<(hash: Buffer) => Operator | AppError>;

/** Limits streams per session and operator, and checks the sessions of all streams together. */
function openSeats(checkSessions: CheckSessions) {
  const seats = new Set<Seat>();
  const sessionOf = ({ operator }: Seat) => operator.token_hash.toString("hex");
  let checking: NodeJS.Timeout | null = null;
  let isAsking = false;

  async function check(): Promise<void> {
    const asked = [...seats];
    const hashes = new Map(asked.map((seat) => [sessionOf(seat), seat.operator.token_hash]));
    isAsking = true;
    try {
      const now = await checkSessions([...hashes.values()]);
      asked.forEach((seat) => seat.take(now(seat.operator.token_hash)));
    } catch (fault) {
      seats.forEach((seat) => seat.take(toAppError(fault, "")));
    }
    isAsking = false;
  }

  /** Throws streams_many if the session already has the maximum number of streams. */
  function requireSeat(hash: Buffer): void {
    const taken = [...seats].filter(({ operator }) => operator.token_hash.equals(hash));
    if (taken.length >= STREAMS_OF_SESSION_MAX) {
      throw new AppError("streams_many");
    }
  }

  /** Registers a stream and returns the function that removes it. Throws streams_many. */
  function sit(seat: Seat): () => void {
    const { id, token_hash } = seat.operator;
    requireSeat(token_hash);
    if ([...seats].filter(({ operator }) => operator.id === id).length >= STREAMS_OF_OPERATOR_MAX) {
      throw new AppError("streams_many");
    }
    seats.add(seat);
    checking ??= setInterval(() => void (isAsking || void check()), CHECK_MS);
    return () => {
      seats.delete(seat);
      if (seats.size === 0 && checking !== null) {
        clearInterval(checking);
        checking = null;
      }
    };
  }

  return { requireSeat, sit };
}

export function openEventStreams(checkSessions: CheckSessions) {
  const open = new Set<() => void>();
  const { requireSeat, sit } = openSeats(checkSessions);

  /**
   * Sends the events of `begin` until the client leaves, the session ends, `accept` throws because the operator lost a
   * permission, or the server stops. Throws streams_many before it calls `begin`.
   */
  async function send(
    reply: FastifyReply,
    caller: Operator | null,
    begin: () => Promise<EventSource>,
    accept: (now: Operator) => void,
  ): Promise<FastifyReply> {
    const seat: Seat = { operator: signedIn(caller), take: () => {} };
    const leaveSeat = sit(seat);
    const source = await begin().catch((fault: unknown) => {
      leaveSeat();
      throw fault;
    });
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
        leaveSeat();
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
    seat.take = (now) => {
      try {
        if (now instanceof AppError) {
          throw now;
        }
        accept(now);
      } catch (fault) {
        end(fault);
      }
    };
    open.add(close);
    readable.once("close", () => close());
    leave = source({ send: (event, json) => put(event, textOf(event, json)), end });
    return reply.type(EVENT_STREAM).header("x-accel-buffering", "no").send(readable);
  }

  const close = () => open.forEach((end) => end());
  return { send, requireSeat, open: () => open.size, close };
}
