import { useMutation } from "@tanstack/react-query";
import type { Data, Route } from "@red/contract/platform/route";
import { isWaiting, make, settled } from "#lib/api.ts";
import type { Change, MakeOptions } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useToast } from "#ui/toast.tsx";

export type ActOptions<R extends Route> = MakeOptions<R> & {
  /** The toast instead of the answer's message; null for none. */
  text?: string | null | ((data: Data<R>) => string | null) | undefined;
  /** Runs once the change is made, before the lists are loaded again. */
  done?: ((data: Data<R>) => void) | undefined;
  /** Closes the form, after `done`; by `act` also when the change waits for a second person. */
  close?: (() => void) | undefined;
};

/**
 * Makes changes: each is `busy` until answered, then a toast shows the answer's message and the lists of `refreshes`
 * load again, also if the component has gone. Both functions resolve once the lists have loaded.
 */
export function useAct(...refreshes: readonly Route[]) {
  const toast = useToast();
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
  });

  /** For a form, which shows the refusal: rejects with the call's error. */
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

  /** For a button: resolves also when refused. The lists may be why, so they are loaded again. */
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
