/** What a change takes, asked for by a dialog of the shell when the server says so (behaviour §16). */
import { useSyncExternalStore } from "react";
import type { Needs } from "@red/contract/guard";
import { changes } from "./changes.ts";

export interface Proof {
  readonly reason?: string;
  readonly code?: string;
}

export interface Asked {
  /** The server's words. */
  readonly text: string;
  readonly needs: Needs;
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

export function useAskedProof(): Asked | null {
  return useSyncExternalStore(subscribe, () => asked);
}

function show(next: Asked | null): void {
  asked = next;
  announce();
}

/** Resolves to the answer of the change that was sent again, or to null if the operator gives nothing. One after the other. */
export function askProof<A>(
  question: Pick<Asked, "text" | "needs">,
  send: (proof: Proof) => Promise<Tried<A>>,
): Promise<A | null> {
  const ask = () =>
    new Promise<A | null>((resolve, reject) => {
      // Closed before the form goes on, which may take the focus.
      const end = (settle: () => void) => {
        show(null);
        settle();
        return null;
      };
      const give = async (proof: Proof) => {
        show({ ...open, isSending: true });
        try {
          const tried = await send(proof);
          if ("wrong" in tried) {
            show(open);
            return tried.wrong;
          }
          return end(() => resolve(tried.answer));
        } catch (error) {
          return end(() => reject(error as Error));
        }
      };
      const leave = () => void end(() => resolve(null));
      const open = { ...question, give, leave, isSending: false };
      show(open);
    });
  const answer = last.then(ask);
  last = answer.catch(() => {});
  return answer;
}
