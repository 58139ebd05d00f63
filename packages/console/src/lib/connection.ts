/**
 * Whether the server can be reached. A call that finds nobody makes it doubtful; a small document of
 * the server then decides, and is asked for again until it comes.
 */

export type Connection =
  | "up"
  /** The browser says that it has no network. */
  | "offline"
  /** There is a network, and no answer. */
  | "unreachable";

const PROBE_EVERY_MS = 5_000;
/** A probe that takes longer has failed. */
const PROBE_PATIENCE_MS = 5_000;

let state: Connection = "up";
let timer: ReturnType<typeof setTimeout> | null = null;
let probing: Promise<void> | null = null;
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (timer !== null) {
    clearTimeout(timer);
    timer = null;
  }
  if (next !== "up") {
    timer = setTimeout(() => void probe(), PROBE_EVERY_MS);
  }
  if (next !== state) {
    state = next;
    listeners.forEach((listener) => listener());
  }
}

async function answers(): Promise<boolean> {
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

/** Looks whether the server answers; settles once that is known. */
export function probe(): Promise<void> {
  probing ??= answers()
    .then((isUp) => become(isUp ? "up" : navigator.onLine ? "unreachable" : "offline"))
    .finally(() => {
      probing = null;
    });
  return probing;
}

/** A call has got an answer of the server. */
export function reached(): void {
  if (state !== "up") {
    become("up");
  }
}

/** A call has found nobody, or a proxy that found nobody. */
export function missed(): void {
  if (state === "up") {
    void probe();
  }
}

export function currentConnection(): Connection {
  return state;
}

/** Follows the connection; answers the way to stop. */
export function onConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

window.addEventListener("offline", () => become("offline"));
window.addEventListener("online", () => void probe());
