/**
 * Tracks whether the server can be reached. After a call without a response, the console probes the server until the
 * server answers.
 */
import { createStore } from "./store.ts";

export type Connection =
  | "up"
  | "offline"
  /** The network works, but the server does not respond. */
  | "unreachable";

const PROBE_EVERY_MS = 5_000;
const PROBE_PATIENCE_MS = 5_000;

let timer: ReturnType<typeof setTimeout> | undefined;
let probing: Promise<void> | null = null;
const state = createStore<Connection>("up");
export const { get: currentConnection, subscribe: onConnection } = state;

function setState(next: Connection): void {
  clearTimeout(timer);
  if (next !== "up") {
    timer = setTimeout(() => void probe(), PROBE_EVERY_MS);
  }
  if (next !== state.get()) {
    state.set(next);
  }
}

async function isAnswering(): Promise<boolean> {
  const ask = (url: string) =>
    fetch(url, { cache: "no-store", signal: AbortSignal.timeout(PROBE_PATIENCE_MS) });
  try {
    const { ok } = await ask(`${import.meta.env.BASE_URL}config.json`);
    // A server without its database responds with 503. A proxy may block this path, so any other status counts as up.
    return ok && (await ask("/readyz")).status !== 503;
  } catch {
    return false;
  }
}

/** Probes the server once. Resolves when the state of the connection is known. */
export function probe(): Promise<void> {
  probing ??= isAnswering()
    .then((isUp) => setState(isUp ? "up" : navigator.onLine ? "unreachable" : "offline"))
    .finally(() => {
      probing = null;
    });
  return probing;
}

export function reportAnswer(): void {
  if (state.get() !== "up") {
    setState("up");
  }
}

/**
 * Call it when a request got no response, a response from a proxy, or a response from a server without its database.
 */
export function reportNoAnswer(): void {
  if (state.get() === "up") {
    void probe();
  }
}

window.addEventListener("offline", () => setState("offline"));
window.addEventListener("online", () => void probe());
