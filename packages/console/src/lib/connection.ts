/** Whether the server can be reached; a probe finds out after a call that got no answer. */

import { changes } from "./store.ts";

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
  const ask = (url: string) =>
    fetch(url, { cache: "no-store", signal: AbortSignal.timeout(PROBE_PATIENCE_MS) });
  try {
    const { ok } = await ask(`${import.meta.env.BASE_URL}config.json`);
    // Without its database the server answers 503; a proxy may not let the question through.
    return ok && (await ask("/readyz")).status !== 503;
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

/** Call when a request got no answer, or one by a proxy without the server, or by a server without its database. */
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
