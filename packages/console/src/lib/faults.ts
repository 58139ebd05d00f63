/**
 * The error log (spec §2 "Shell", §8): what went wrong in this tab, kept over reloads. The text of a
 * fault is for whoever mends it; operators are told by toasts and pages.
 */
import { useMemo } from "react";
import * as z from "zod/mini";
import { readKept, useKept, writeKept } from "./tab-state.ts";

const KEY = "faults";
/** The oldest ones make room. */
const KEPT_MAX = 50;
const STACK_LENGTH_MAX = 4_000;
const LEAVING_MS = 1_000;

const faultSchema = z.object({
  /** Milliseconds since 1970, of the last time. */
  at: z.number(),
  message: z.string(),
  /** The page that was open. */
  url: z.string(),
  stack: z.string(),
  /** How often it happened. */
  count: z.number(),
});
export type Fault = z.output<typeof faultSchema>;
const logSchema = z.catch(z.array(faultSchema), []);

/* Browsers tell this when an observer needs one more frame; nothing is wrong. */
const HARMLESS = /^ResizeObserver loop/;

function describe(thrown: unknown): { message: string; stack: string } {
  if (thrown instanceof Error) {
    const name = thrown.name === "Error" ? "" : `${thrown.name}: `;
    return { message: name + thrown.message, stack: thrown.stack ?? "" };
  }
  return { message: typeof thrown === "string" ? thrown : JSON.stringify(thrown), stack: "" };
}

/** `context` follows the stack, as what was being rendered or called. */
function faultOf(thrown: unknown, context: string): Fault {
  const { message, stack } = describe(thrown);
  const whole = `${stack}${context}`.slice(0, STACK_LENGTH_MAX);
  return { at: Date.now(), message, url: window.location.href, stack: whole, count: 1 };
}

/** Newest first; the same fault once more is counted. */
function keep(fault: Fault): void {
  const log = logSchema.parse(readKept(KEY));
  const isSame = ({ message, url, stack }: Fault) =>
    message === fault.message && url === fault.url && stack === fault.stack;
  const count = fault.count + (log.find(isSame)?.count ?? 0);
  const others = log.filter((each) => !isSame(each));
  writeKept(KEY, [{ ...fault, count }, ...others].slice(0, KEPT_MAX));
}

/** Adds a fault to the log. */
export function recordFault(thrown: unknown, context = ""): void {
  const fault = faultOf(thrown, context);
  if (!HARMLESS.test(fault.message)) {
    keep(fault);
  }
}

/**
 * Adds a call that did not work. A call also breaks off when the page is left, before the page knows
 * of it: so it is added a moment later, if the page is still there.
 */
export function recordFailedCall(error: Error, call: string): void {
  const fault = faultOf(error, `\n${call}`);
  setTimeout(() => keep(fault), LEAVING_MS);
}

/** The log, newest first. */
export function useFaults(): readonly Fault[] {
  const kept = useKept(KEY);
  return useMemo(() => logSchema.parse(kept), [kept]);
}

export function clearFaults(): void {
  writeKept(KEY, []);
}

/** Has the log take in what nobody caught. */
export function watchFaults(): void {
  window.addEventListener("error", (event) => recordFault(event.error ?? event.message));
  window.addEventListener("unhandledrejection", ({ reason }) => {
    // Refusals and stopped calls are no faults; calls that failed have recorded themselves.
    if (!(reason instanceof Error && /^(?:ApiError|AbortError)$/.test(reason.name))) {
      recordFault(reason);
    }
  });
}
