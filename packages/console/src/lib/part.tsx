/**
 * A part of the console with a file of its own, loaded when it is first wanted: a page, a dialog, a drawer.
 * One that does not come says so in its place and is asked for again. `React.lazy` keeps a refusal for as
 * long as the tab lives, and throws it, which takes the page away and with it whatever stands on it.
 */
import { createElement, useCallback, useEffect, useState } from "react";
import type { ComponentType, FunctionComponent } from "react";
import { useTranslation } from "react-i18next";
import { currentConnection, onConnection, probe } from "./connection.ts";
import "./part.css";

export interface LostProps {
  /** `cut`: nobody answers. `gone`: the server answers and has the file no more, as after an installation. */
  loss: "cut" | "gone";
  /** Asks for the part again; nobody has to once the server is back, see below. */
  retry: () => void;
}

type State<P> = ComponentType<P> | LostProps["loss"] | null;

/* The build's loader asks for scripts again, but never for a style that did not come. */
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
      // A copy has the type of any node.
      const again = link.cloneNode() as HTMLLinkElement;
      link.replaceWith(again);
      await new Promise((resolve, reject) =>
        Object.assign(again, { onload: resolve, onerror: reject }),
      );
    }),
  );
}

/**
 * The component that `load` brings; `Lost` stands in its place while it cannot be had. `preload` settles
 * when it is known which of them is shown, and never rejects.
 */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Lost: ComponentType<NoInfer<P> & LostProps>,
): FunctionComponent<P> & { preload: () => Promise<void> } {
  let found: State<P> = null;
  let underWay: Promise<State<P>> | null = null;
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
      // The network may be back just now.
      return currentConnection() === "up" ? await loadAll().catch(() => "gone" as const) : "cut";
    }
  };
  const preload = async () => {
    if (found === null || typeof found === "string") {
      underWay ??= ask().finally(() => {
        underWay = null;
      });
      found = await underWay;
    }
  };
  function Part(props: P) {
    const [is, show] = useState<State<P>>(() => found);
    const retry = useCallback(() => void preload().then(() => show(() => found)), []);
    useEffect(() => {
      retry();
      return onConnection(() => (currentConnection() === "up" ? retry() : undefined));
    }, [retry]);
    if (is === null) {
      return null;
    }
    return typeof is === "string"
      ? createElement(Lost, { ...props, loss: is, retry })
      : createElement(is, props);
  }
  return Object.assign(Part, { preload });
}

/** What is said of a part that did not come, with what helps. Needs nothing of the component library. */
export function LostNote({ loss, retry }: LostProps) {
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
