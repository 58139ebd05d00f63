/**
 * Loads pages, dialogs and drawers in separate chunks when they are first needed. A failure is shown in place of the
 * part, with a retry. `React.lazy` would keep the failure until the tab is closed, and throw it, which removes the
 * whole page.
 */
import { createElement, useCallback, useEffect, useState } from "react";
import type { ComponentType, FunctionComponent } from "react";
import { useTranslation } from "react-i18next";
import { currentConnection, onConnection, probe } from "./connection.ts";
import "./lazy-part.css";

export interface LoadFailedProps {
  /**
   * `cut` means that the server did not respond. `gone` means that the server no longer has the file, for example after
   * an update.
   */
  loss: "cut" | "gone";
  /** Loads the part again. This also happens when the connection returns. */
  retry: () => void;
}

type State<P> = ComponentType<P> | LoadFailedProps["loss"] | null;

/* Stylesheets that failed to load. The loader of the build retries failed scripts, but not failed stylesheets. */
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
      // TypeScript types the result of `cloneNode` as any node.
      const copy = link.cloneNode() as HTMLLinkElement;
      link.replaceWith(copy);
      await new Promise((resolve, reject) =>
        Object.assign(copy, { onload: resolve, onerror: reject }),
      );
    }),
  );
}

/**
 * Returns a component that renders the result of `load`, or `Lost` after loading has failed. `preload` resolves when
 * the component can render either of them, and never rejects.
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
      // The probe may have found that the connection is back, so the part is loaded again.
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

/**
 * Explains why a part failed to load, and offers a retry. It does not use the component library, which may be missing.
 */
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
