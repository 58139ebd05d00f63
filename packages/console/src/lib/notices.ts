/** Notices from the API layer (spec §8). The login page and the shell show them in different ways. */

export type Notice =
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "waits"; readonly text: string }
  /** The permissions of the operator differ from those that the page has loaded. */
  | { readonly kind: "not_permitted" }
  | { readonly kind: "relogin" }
  /** Opens the dialog that stops everything. */
  | { readonly kind: "stop" }
  /** The session has ended: log out and reload. */
  | { readonly kind: "signed_out" };

type Kind = Notice["kind"];
type Listener = (text: string) => void;

let subscriptions: readonly { readonly kind: Kind; readonly listener: Listener }[] = [];
/** Notices that have no listener yet, for example before the login page is loaded. */
let waiting: Notice[] = [];

const textOf = (notice: Notice) => ("text" in notice ? notice.text : "");

/** Subscribes to notices and delivers waiting notices at once. Returns a function that unsubscribes. */
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
 * Opens the "logged out" dialog once, even if many calls fail. Ignores calls while the dialog is open, and calls that
 * were sent before the operator answered it. After the operator chose to stay, a background call does not open the
 * dialog again.
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

/** Requests sign-out and reload once. */
export function askToLeave(): void {
  if (!leaving) {
    leaving = true;
    notify({ kind: "signed_out" });
  }
}
