import { useMutation } from "@tanstack/react-query";
import type { Data, Route } from "@red/contract/platform/route";
import { isWaiting, make, settled } from "#lib/api.ts";
import type { Change, MakeOptions } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";

export type ActOptions<R extends Route> = MakeOptions<R> & {
  /** Text of the toast after success. The default is the message of the response; null shows no toast. */
  text?: string | null | ((data: Data<R>) => string | null) | undefined;
  /** Runs after the change was saved and before the lists are loaded again. */
  done?: ((data: Data<R>) => void) | undefined;
  /** Closes the form after `done`. `act` also calls `close` when the change waits for a second person. */
  close?: (() => void) | undefined;
};

/**
 * Sends changes and returns `busy` while a request runs. After success a toast shows the message of the response, and
 * the lists of `refreshes` load again, even if the component was unmounted. `send` resolves once the lists have loaded;
 * `act` does so after success.
 */
export function useAct(...refreshes: readonly Route[]) {
  const toast = useToast();
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
  });

  /** For a form that shows errors itself: rejects with the error of the call. */
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
    // `mutateAsync` resolves to the result of `work`, but has the type `unknown`.
    const data = (await mutateAsync(work)) as Data<C["route"]>;
    await refresh(...refreshes);
    return data;
  };

  /**
   * For a button: resolves even if the server rejects the change. The lists are then loaded again, because an outdated
   * list may be the cause.
   */
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
