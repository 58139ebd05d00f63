/** Whether the server can be reached. A call without an answer starts probes, which go on until one is answered. */
import { createStore } from "./store.ts";

export type Connection =
  | "up"
  | "offline"
  /** There is a network, but the server does not answer. */
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
    // Without its database the server answers 503; a proxy may block this path.
    return ok && (await ask("/readyz")).status !== 503;
  } catch {
    return false;
  }
}

/** Asks the server once; resolves when the connection's state is known. */
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
  if (state.get() !== "up") {
    setState("up");
  }
}

/** Call when a request got no answer, an answer by a proxy, or an answer by a server without its database. */
export function reportNoAnswer(): void {
  if (state.get() === "up") {
    void probe();
  }
}

window.addEventListener("offline", () => setState("offline"));
window.addEventListener("online", () => void probe());
