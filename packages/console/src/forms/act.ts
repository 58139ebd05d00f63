import { useMutation } from "@tanstack/react-query";
import type { Data, Route } from "@red/contract/platform/route";
import { isWaiting, make, settled } from "#lib/api.ts";
import type { Change, MakeOptions } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";

export type ActOptions<R extends Route> = MakeOptions<R> & {
  /** Text of the toast, by default the answer's message; null for no toast. */
  text?: string | null | ((data: Data<R>) => string | null) | undefined;
  /** Runs after the change, before the lists are loaded again. */
  done?: ((data: Data<R>) => void) | undefined;
  /** Closes the form after `done`. `act` also calls it when the change waits for a second person. */
  close?: (() => void) | undefined;
};

/**
 * Sends changes. Each is `busy` until answered; then a toast shows the answer's message, and the lists of `refreshes` load
 * again, even if the component was unmounted. Both functions resolve once the lists have loaded.
 */
export function useAct(...refreshes: readonly Route[]) {
  const toast = useToast();
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
  });

  /** For a form, which shows a refusal: rejects with the call's error. */
  const send = async <C extends Change>(change: C, options: ActOptions<C["route"]> = {}) => {
    const { text, done, close, ...asked } = options;
    const work = async () => {
      const { data, msg } = await make<C["route"]>(change, asked);
      const words = typeof text === "function" ? text(data) : text;
      if (words !== null) {
        toast.success(words ?? msg);
      }
      done?.(data);
      close?.();
      return data;
    };
    // The mutation resolves to what `work` does.
    const data = (await mutateAsync(work)) as Data<C["route"]>;
    await refresh(...refreshes);
    return data;
  };

  /** For a button: resolves also when refused. An outdated list may be the cause, so the lists are loaded again. */
  const act = async <C extends Change>(change: C, options?: ActOptions<C["route"]>) => {
    const made = await settled(send(change, options));
    if (!made.ok) {
      void refresh(...refreshes);
      if (isWaiting(made.error)) {
        options?.close?.();
      }
    }
    return made;
  };

  return { busy, send, act };
}
