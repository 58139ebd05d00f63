/** Error log of this tab, for developers (spec §2 "Shell", §8). Operators see toasts and error pages instead. */
import { useMemo } from "react";
import * as z from "zod/mini";
import { readKept, useKept, writeKept } from "./tab-state.ts";

const KEY = "faults";
const KEPT_MAX = 50;
const STACK_LENGTH_MAX = 4_000;
const LEAVING_MS = 1_000;

const faultSchema = z.object({
  /** Time of the last occurrence, in milliseconds since 1970. */
  at: z.number(),
  message: z.string(),
  url: z.string(),
  stack: z.string(),
  count: z.number(),
});
export type Fault = z.output<typeof faultSchema>;
const logSchema = z.catch(z.array(faultSchema), []);

/* Browsers report this error when an observer needs one more frame. The error is harmless. */
const HARMLESS = /^ResizeObserver loop/;

function describe(thrown: unknown): { message: string; stack: string } {
  if (thrown instanceof Error) {
    const name = thrown.name === "Error" ? "" : `${thrown.name}: `;
    return { message: name + thrown.message, stack: thrown.stack ?? "" };
  }
  return { message: typeof thrown === "string" ? thrown : JSON.stringify(thrown), stack: "" };
}

/** Builds a log entry. `context` is added after the stack and says what was rendered or called. */
function faultOf(thrown: unknown, context: string): Fault {
  const { message, stack } = describe(thrown);
  const whole = `${stack}${context}`.slice(0, STACK_LENGTH_MAX);
  return { at: Date.now(), message, url: window.location.href, stack: whole, count: 1 };
}

function keep(fault: Fault): void {
  const log = logSchema.parse(readKept(KEY));
  const isSame = ({ message, url, stack }: Fault) =>
    message === fault.message && url === fault.url && stack === fault.stack;
  const count = fault.count + (log.find(isSame)?.count ?? 0);
  const others = log.filter((each) => !isSame(each));
  writeKept(KEY, [{ ...fault, count }, ...others].slice(0, KEPT_MAX));
}

export function recordFault(thrown: unknown, context = ""): void {
  const fault = faultOf(thrown, context);
  if (!HARMLESS.test(fault.message)) {
    keep(fault);
  }
}

/**
 * Logs a failed call after a short delay. If the operator has left the page by then, nothing is logged, because leaving
 * a page also aborts its calls.
 */
export function recordFailedCall(error: Error, call: string): void {
  const fault = faultOf(error, `\n${call}`);
  setTimeout(() => keep(fault), LEAVING_MS);
}

export function useFaults(): readonly Fault[] {
  const kept = useKept(KEY);
  return useMemo(() => logSchema.parse(kept), [kept]);
}

export function clearFaults(): void {
  writeKept(KEY, []);
}

/** Logs uncaught errors and unhandled rejections. */
export function watchFaults(): void {
  window.addEventListener("error", (event) => recordFault(event.error ?? event.message));
  window.addEventListener("unhandledrejection", ({ reason }) => {
    // A call that was aborted or rejected by the server is no fault, and `recordFailedCall` logs failed calls.
    if (!(reason instanceof Error && /^(?:ApiError|AbortError)$/.test(reason.name))) {
      recordFault(reason);
    }
  });
}
