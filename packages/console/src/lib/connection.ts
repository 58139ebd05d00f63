/** Whether the server can be reached; a probe finds out after a call that got no answer. */

import { changes } from "./changes.ts";

export type Connection =
  | "up"
  | "offline"
  /** Network, but no answer. */
  | "unreachable";

const PROBE_EVERY_MS = 5_000;
const PROBE_PATIENCE_MS = 5_000;

let state: Connection = "up";
let timer: ReturnType<typeof setTimeout> | null = null;
let probing: Promise<void> | null = null;
const { subscribe, announce } = changes();

function setState(next: Connection): void {
  if (timer !== null) {
    clearTimeout(timer);
    timer = null;
  }
  if (next !== "up") {
    timer = setTimeout(() => void probe(), PROBE_EVERY_MS);
  }
  if (next !== state) {
    state = next;
    announce();
  }
}

async function isAnswering(): Promise<boolean> {
  try {
    const response = await fetch(`${import.meta.env.BASE_URL}config.json`, {
      cache: "no-store",
      signal: AbortSignal.timeout(PROBE_PATIENCE_MS),
    });
    return response.ok;
  } catch {
    return false;
  }
}

/** Checks whether the server answers; resolves when that is known. */
export function probe(): Promise<void> {
  probing ??= isAnswering()
    .then((isUp) => setState(isUp ? "up" : navigator.onLine ? "unreachable" : "offline"))
    .finally(() => {
      probing = null;
    });
  return probing;
}

/** Call when the server has answered. */
export function reportAnswer(): void {
  if (state !== "up") {
    setState("up");
  }
}

/** Call when a request got no answer, or one by a proxy without the server. */
export function reportNoAnswer(): void {
  if (state === "up") {
    void probe();
  }
}

export function currentConnection(): Connection {
  return state;
}

export const onConnection = subscribe;

window.addEventListener("offline", () => setState("offline"));
window.addEventListener("online", () => void probe());
