/** Messages of the shared handling of calls (spec §8). The login page and the shell each show them in their own way. */

export type Notice =
  | { readonly kind: "error"; readonly text: string }
  /** A change waits for a second person. */
  | { readonly kind: "waits"; readonly text: string }
  /** The operator's permissions are not what the page believed. */
  | { readonly kind: "not_permitted" }
  | { readonly kind: "relogin" }
  /** Opens the dialog that stops everything. */
  | { readonly kind: "stop" }
  /** The session is over: log out and reload. */
  | { readonly kind: "signed_out" };

type Kind = Notice["kind"];
type Listener = (text: string) => void;

let subscriptions: readonly { readonly kind: Kind; readonly listener: Listener }[] = [];
/** Notices without a listener yet, for example before the login page was loaded. */
let waiting: Notice[] = [];

const textOf = (notice: Notice) => ("text" in notice ? notice.text : "");

/** Subscribes, and delivers waiting notices at once. Returns the function that unsubscribes. */
export function onNotice(kind: Kind, listener: Listener): () => void {
  const own = { kind, listener };
  subscriptions = [...subscriptions, own];
  const early = waiting.filter((notice) => notice.kind === kind);
  waiting = waiting.filter((notice) => notice.kind !== kind);
  early.forEach((notice) => listener(textOf(notice)));
  return () => {
    subscriptions = subscriptions.filter((each) => each !== own);
  };
}

export function notify(notice: Notice): void {
  const hearing = subscriptions.filter(({ kind }) => kind === notice.kind);
  if (hearing.length === 0) {
    waiting.push(notice);
  }
  hearing.forEach(({ listener }) => listener(textOf(notice)));
}

let asking = false;
let answeredAt = Number.NEGATIVE_INFINITY;

/**
 * Opens the "logged out" dialog once for any number of failed calls: not while it is open, and not for calls sent before
 * it was answered. After the operator chose to stay, calls in the background do not open it again.
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
