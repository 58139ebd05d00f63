/** The reason of a change, when the server asks for one (behaviour §16): a dialog of the shell asks the operator. */
import { useSyncExternalStore } from "react";
import { changes } from "./changes.ts";

export interface Asked {
  /** The server's words, and what the change may cost. */
  readonly text: string;
  readonly risk: string;
  /** A second person will have to approve it. */
  readonly second: boolean;
  /** Null: not given. */
  readonly answer: (reason: string | null) => void;
}

const { subscribe, announce } = changes();
let asked: Asked | null = null;
let last = Promise.resolve<string | null>(null);

export function useAskedReason(): Asked | null {
  return useSyncExternalStore(subscribe, () => asked);
}

/** Resolves to the reason, or to null if the operator gives none. One question after the other. */
export function askReason(question: Omit<Asked, "answer">): Promise<string | null> {
  const ask = () =>
    new Promise<string | null>((resolve) => {
      asked = { ...question, answer: resolve };
      announce();
    }).finally(() => {
      asked = null;
      announce();
    });
  last = last.then(ask);
  return last;
}
