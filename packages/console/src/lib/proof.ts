/** What a change takes, asked for by a dialog of the shell when the server says so (behaviour §16). */
import { useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import type { Needs } from "@red/contract/approvals/guard";
import { changes } from "./store.ts";
import { notify } from "./notices.ts";

export interface Proof {
  readonly reason?: string;
  readonly code?: string;
}

/** What an act that always takes a code says in the dialog. */
export interface Words {
  readonly title: string;
  readonly okText: string;
  readonly danger?: boolean;
  readonly content?: ReactNode;
}

export interface Asked {
  /** The server's words. */
  readonly text: string;
  readonly needs: Needs;
  readonly words?: Words | undefined;
  /** Sends the change again. Resolves to what is wrong with the code; null when the dialog is done. */
  readonly give: (proof: Proof) => Promise<string | null>;
  /** While the change is sent again. */
  readonly isSending: boolean;
  /** Gives nothing. */
  readonly leave: () => void;
}

/** What came of sending the change again. */
type Tried<A> = { readonly wrong: string } | { readonly answer: A };

const { subscribe, announce } = changes();
let asked: Asked | null = null;
let last: Promise<unknown> = Promise.resolve();
/** Changes that are asked about, or wait for that: a button pressed twice asks once. */
const open = new Set<string>();

export function useAskedProof(): Asked | null {
  return useSyncExternalStore(subscribe, () => asked);
}

function show(next: Asked | null): void {
  asked = next;
  announce();
}

/** How often a page was left: a question that comes later belongs to a form that is gone. */
let pages = 0;
export const pagesLeft = (): number => pages;

/** The page is left: a form that was saved says that it was not. What is on its way goes on. */
export function leaveAskedProof(): void {
  pages += 1;
  if (asked?.isSending === false && asked.words === undefined) {
    notify({ kind: "error", text: asked.text });
  }
  asked?.leave();
}

/**
 * Resolves to the answer of the change that was sent again, or to null if the operator gives nothing. One question after the
 * other: the next is shown when the one before has its answer, also if it was left while that was on its way.
 */
export function askProof<A>(
  question: Pick<Asked, "text" | "needs" | "words"> & {
    readonly change: string;
    /** `pagesLeft` when the change was first sent. */
    readonly page: number;
  },
  send: (proof: Proof) => Promise<Tried<A>>,
): Promise<A | null> {
  if (open.has(question.change)) {
    return Promise.resolve(null);
  }
  open.add(question.change);
  const ask = () =>
    new Promise<A | null>((resolve, reject) => {
      if (question.page !== pages) {
        open.delete(question.change);
        if (question.words === undefined) {
          notify({ kind: "error", text: question.text });
        }
        resolve(null);
        return;
      }
      let isSending = false;
      let isLeft = false;
      const hide = () => {
        if (!isLeft) {
          open.delete(question.change);
          show(null);
        }
        isLeft = true;
      };
      const leave = () => {
        hide();
        if (!isSending) {
          resolve(null);
        }
      };
      const refresh = () => void (isLeft || show({ ...question, give, leave, isSending }));
      async function give(proof: Proof): Promise<string | null> {
        if (isSending) {
          return null;
        }
        isSending = true;
        refresh();
        try {
          const tried = await send(proof);
          isSending = false;
          if ("wrong" in tried) {
            refresh();
            if (isLeft) {
              notify({ kind: "error", text: tried.wrong });
              resolve(null);
            }
            return tried.wrong;
          }
          // Closed before the form goes on, which may take the focus.
          hide();
          resolve(tried.answer);
        } catch (error) {
          hide();
          reject(error as Error);
        }
        return null;
      }
      refresh();
    });
  const answer = last.then(ask);
  last = answer.catch(() => {});
  return answer;
}
