/**
 * Handles the reason and the code that a change needs. A dialog of the shell asks for them when the server requires it
 * (behaviour §16).
 */
import type { ReactNode } from "react";
import type { Needs } from "@red/contract/approvals/guard";
import { notify } from "./notices.ts";
import { createStore } from "./store.ts";

export interface Proof {
  readonly reason?: string;
  readonly code?: string;
}

/** Texts of the dialog for an action that always needs a code. */
export interface Words {
  readonly title: string;
  readonly okText: string;
  readonly danger?: boolean;
  readonly content?: ReactNode;
}

export interface Asked {
  /** Message from the server. */
  readonly text: string;
  readonly needs: Needs;
  readonly words?: Words | undefined;
  /** Sends the change again. Resolves to the error text of the code, or to null when the dialog is finished. */
  readonly give: (proof: Proof) => Promise<string | null>;
  readonly isSending: boolean;
  /** Closes the dialog without a reason or code. */
  readonly leave: () => void;
}

/** Result of sending the change again. */
type Tried<A> = { readonly wrong: string } | { readonly answer: A };

const { get: askedNow, set: show, use } = createStore<Asked | null>(null);
export const useAskedProof = use;
let last: Promise<unknown> = Promise.resolve();
/** Changes whose question is open or in the queue. If a button is pressed twice, the question appears once. */
const open = new Set<string>();

/**
 * Number of pages that the operator has left. A question from an earlier page is skipped, because its form no longer
 * exists.
 */
let pages = 0;
export const pagesLeft = (): number => pages;

/**
 * Call it when the operator leaves the page. Reports that the form was not saved, but does not stop a change that was
 * already sent again.
 */
export function leaveAskedProof(): void {
  pages += 1;
  const asked = askedNow();
  if (asked?.isSending === false && asked.words === undefined) {
    notify({ kind: "error", text: asked.text });
  }
  asked?.leave();
}

/**
 * Resolves to the response to the change that was sent again, or to null if the operator leaves the dialog. The
 * questions form a queue: the next question appears when the previous change has its response, even if its dialog was
 * closed earlier.
 */
export function askProof<A>(
  question: Pick<Asked, "text" | "needs" | "words"> & {
    readonly change: string;
    /** Value of `pagesLeft()` when the change was first sent. */
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
          // Hides the dialog first, because the form may take the focus when it continues.
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
