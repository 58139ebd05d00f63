/**
 * Pages, dialogs and drawers in chunks of their own, loaded when first needed. A failure is shown in place and can be
 * retried. `React.lazy` keeps a failure for the tab's lifetime and throws it, which removes the whole page.
 */
import { createElement, useCallback, useEffect, useState } from "react";
import type { ComponentType, FunctionComponent } from "react";
import { useTranslation } from "react-i18next";
import { currentConnection, onConnection, probe } from "./connection.ts";
import "./lazy-part.css";

export interface LoadFailedProps {
  /** `cut`: no answer. `gone`: the server no longer has the file, for example after an update. */
  loss: "cut" | "gone";
  /** Loads again; this also happens when the server is back. */
  retry: () => void;
}

type State<P> = ComponentType<P> | LoadFailedProps["loss"] | null;

/* The build's loader retries failed scripts, but not failed styles. */
const lostStyles = new Set<HTMLLinkElement>();

window.addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") {
      lostStyles.add(target);
    }
  },
  true,
);

async function loadLostStyles(): Promise<void> {
  const links = [...lostStyles];
  lostStyles.clear();
  await Promise.all(
    links.map(async (link) => {
      // cloneNode is typed as any node.
      const copy = link.cloneNode() as HTMLLinkElement;
      link.replaceWith(copy);
      await new Promise((resolve, reject) =>
        Object.assign(copy, { onload: resolve, onerror: reject }),
      );
    }),
  );
}

/**
 * The component that `load` resolves to, or `Lost` while loading fails. `preload` resolves when one of them can be
 * rendered, and never rejects.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Lost: ComponentType<NoInfer<P> & LoadFailedProps>,
): FunctionComponent<P> & { preload: () => Promise<void> } {
  let loaded: State<P> = null;
  let loading: Promise<State<P>> | null = null;
  const loadAll = async () => {
    const component = await load();
    await loadLostStyles();
    return component;
  };
  const ask = async (): Promise<State<P>> => {
    try {
      return await loadAll();
    } catch {
      await probe();
      // The probe may have found the network restored.
      return currentConnection() === "up" ? await loadAll().catch(() => "gone" as const) : "cut";
    }
  };
  const preload = async () => {
    if (loaded === null || typeof loaded === "string") {
      loading ??= ask().finally(() => {
        loading = null;
      });
      loaded = await loading;
    }
  };
  function LazyPart(props: P) {
    const [state, setState] = useState<State<P>>(() => loaded);
    const retry = useCallback(() => void preload().then(() => setState(() => loaded)), []);
    useEffect(() => {
      retry();
      return onConnection(() => (currentConnection() === "up" ? retry() : undefined));
    }, [retry]);
    if (state === null) {
      return null;
    }
    return typeof state === "string"
      ? createElement(Lost, { ...props, loss: state, retry })
      : createElement(state, props);
  }
  return Object.assign(LazyPart, { preload });
}

/** Says why a part failed to load, and offers to retry. Works without the component library. */
export function LoadFailedNote({ loss, retry }: LoadFailedProps) {
  const { t } = useTranslation("lib");
  return (
    <div>
      <p role="alert">{t(`part_${loss}`)}</p>
      <p className="e-actions">
        {loss === "gone" && (
          <button type="button" className="e-button" onClick={() => window.location.reload()}>
            {t("part_reload")}
          </button>
        )}
        <button type="button" className="e-button" onClick={retry}>
          {t("part_retry")}
        </button>
      </p>
    </div>
  );
}
