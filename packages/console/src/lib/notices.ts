/**
 * What the shared handling of calls wants the operator to see (spec §8). Calls do not know how a
 * toast or a dialog is shown: the login page and the shell each listen and show it with their own means.
 */

export type Notice =
  /** A toast of five seconds. */
  | { readonly kind: "error"; readonly text: string }
  /** The "logged out" dialog. */
  | { readonly kind: "relogin" }
  /** The session is gone for good: log out and reload. */
  | { readonly kind: "signed_out" };

type Kind = Notice["kind"];
type Listener = (text: string) => void;

const listeners = new Map<Kind, Set<Listener>>();
/** Notices given while nobody listened, for example before the login page was loaded. */
let waiting: Notice[] = [];

function textOf(notice: Notice): string {
  return notice.kind === "error" ? notice.text : "";
}

function listenersOf(kind: Kind): Set<Listener> {
  const found = listeners.get(kind) ?? new Set();
  listeners.set(kind, found);
  return found;
}

/** Listens; what was given while nobody did is told at once. Returns the way to stop. */
export function onNotice(kind: Kind, listener: Listener): () => void {
  listenersOf(kind).add(listener);
  const early = waiting.filter((notice) => notice.kind === kind);
  waiting = waiting.filter((notice) => notice.kind !== kind);
  early.forEach((notice) => listener(textOf(notice)));
  return () => {
    listenersOf(kind).delete(listener);
  };
}

export function notify(notice: Notice): void {
  const told = listenersOf(notice.kind);
  if (told.size === 0) {
    waiting.push(notice);
  }
  told.forEach((listener) => listener(textOf(notice)));
}

let asking = false;
let answeredAt = Number.NEGATIVE_INFINITY;

/**
 * Asks for the "logged out" dialog, once however many calls failed: not while it is open, and not
 * for a call that had been sent before it was answered.
 */
export function askToSignInAgain(callStartedAt: number): void {
  if (asking || callStartedAt <= answeredAt) {
    return;
  }
  asking = true;
  notify({ kind: "relogin" });
}

/** The dialog was cancelled: the operator stays on the page. */
export function stayedOnPage(): void {
  asking = false;
  answeredAt = performance.now();
}

let leaving = false;

/** Asks for sign-out and reload, once. */
export function askToLeave(): void {
  if (!leaving) {
    leaving = true;
    notify({ kind: "signed_out" });
  }
}
