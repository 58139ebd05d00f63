/** What the shared handling of calls shows (spec §8); login page and shell each show it in their own way. */

export type Notice =
  | { readonly kind: "error"; readonly text: string }
  /** A change waits for a second person. */
  | { readonly kind: "waits"; readonly text: string }
  /** The operator may do less, or else, than the page believed. */
  | { readonly kind: "not_permitted" }
  | { readonly kind: "relogin" }
  /** Somebody wants to stop everything. */
  | { readonly kind: "stop" }
  /** The session is over: log out and reload. */
  | { readonly kind: "signed_out" };

type Kind = Notice["kind"];
type Listener = (text: string) => void;

const listeners = {
  error: new Set<Listener>(),
  waits: new Set<Listener>(),
  not_permitted: new Set<Listener>(),
  relogin: new Set<Listener>(),
  stop: new Set<Listener>(),
  signed_out: new Set<Listener>(),
};
/** Notices before anybody subscribed, for example before the login page was loaded. */
let waiting: Notice[] = [];

const textOf = (notice: Notice) => ("text" in notice ? notice.text : "");

/** Subscribes, and delivers waiting notices at once. Returns the function that unsubscribes. */
export function onNotice(kind: Kind, listener: Listener): () => void {
  listeners[kind].add(listener);
  const early = waiting.filter((notice) => notice.kind === kind);
  waiting = waiting.filter((notice) => notice.kind !== kind);
  early.forEach((notice) => listener(textOf(notice)));
  return () => void listeners[kind].delete(listener);
}

export function notify(notice: Notice): void {
  const subscribers = listeners[notice.kind];
  if (subscribers.size === 0) {
    waiting.push(notice);
  }
  subscribers.forEach((listener) => listener(textOf(notice)));
}

let asking = false;
let answeredAt = Number.NEGATIVE_INFINITY;

/**
 * Opens the "logged out" dialog, once for any number of failed calls: not while it is open, nor for calls sent before it
 * was answered. Whoever chose to stay is asked again for what they do, not by a page that asks in the background.
 */
export function askToSignInAgain(callStartedAt: number, isBackground: boolean): void {
  const hasStayed = answeredAt !== Number.NEGATIVE_INFINITY;
  if (asking || callStartedAt <= answeredAt || (hasStayed && isBackground)) {
    return;
  }
  asking = true;
  notify({ kind: "relogin" });
}

export function stayedOnPage(): void {
  asking = false;
  answeredAt = performance.now();
}

let leaving = false;

/** Requests sign-out and reload, once. */
export function askToLeave(): void {
  if (!leaving) {
    leaving = true;
    notify({ kind: "signed_out" });
  }
}
