/**
 * Where the focus goes when a layer (dialog, drawer, question) closes: back to what opened it, or to
 * what is nearest to that (WCAG 2.4.3). The library does so only for a layer that is told to close; ours
 * mostly go away at once, with what the address or the page held.
 */
import { useLayoutEffect, useRef } from "react";

/** What was used, and what tells its place once it is gone. */
interface Place {
  readonly element: HTMLElement;
  /** The layer it stands in; null for the page. */
  readonly layer: Element | null;
  readonly parent: Element | null;
  readonly index: number;
  readonly row: Element | null;
  readonly list: Element | null;
  readonly rowIndex: number;
}

const LAYER = ".ant-modal-root, .ant-drawer";
const ROW = "tr[data-row-key], li.k-card";
const CONTROL = "a[href], button, input, select, textarea";
/** Menus, lists of choices and hints come and go: what they belong to is meant. */
const PASSING = "#popups";
/** After that, nobody expects any more that what was done moves the focus. */
const KEEP_MS = 30_000;

/* The last place in the page, and in each layer that is open over it. */
let trail: readonly Place[] = [];

function placeOf(element: HTMLElement, layer: Element | null): Place {
  const row = element.closest(ROW);
  const list = row?.parentElement ?? null;
  const parent = element.parentElement;
  return {
    element,
    layer,
    parent,
    index: [...(parent?.children ?? [])].indexOf(element),
    row,
    list,
    rowIndex: row === null ? -1 : [...(list?.querySelectorAll(ROW) ?? [])].indexOf(row),
  };
}

function note(target: EventTarget | null): void {
  if (
    !(target instanceof HTMLElement) ||
    target === document.body ||
    target.closest(PASSING) !== null
  ) {
    return;
  }
  const layer = target.closest(LAYER);
  const at = trail.findIndex((place) => place.layer === layer);
  const below = layer === null ? [] : at === -1 ? trail : trail.slice(0, at);
  const still = below.filter((place) => place.layer === null || place.layer.isConnected);
  trail = [...still, placeOf(target, layer)];
}

/** Follows what is used, from the start: what opens a layer may be out of focus by then. */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => note(target), true);
  // Safari does not put the focus on a button that is clicked.
  document.addEventListener(
    "click",
    ({ target }) => target instanceof Element && note(target.closest(CONTROL)),
    true,
  );
}

/** Nothing takes the focus that is gone, disabled or hidden. */
function takes(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) {
    return false;
  }
  element.focus({ preventScroll: true });
  return document.activeElement === element && !element.matches(":disabled");
}

function oneTakes(elements: Iterable<Element> | undefined): boolean {
  return [...(elements ?? [])].some((element) => takes(element));
}

/** The same control of the row that has moved up, or whatever that row has. */
function nextRowTakes({ element, list, rowIndex }: Place): boolean {
  const rows = list?.isConnected === true ? [...list.querySelectorAll(ROW)] : [];
  const controls = [
    ...(rows.at(Math.min(rowIndex, rows.length - 1))?.querySelectorAll(CONTROL) ?? []),
  ];
  const same = controls.filter(({ textContent }) => textContent === element.textContent);
  return oneTakes([...same, ...controls]);
}

/** What stands where the element stood, then its row, then the row that is there now. */
function nearTakes(place: Place): boolean {
  const { element, parent, index, row } = place;
  const instead = parent?.isConnected === true ? parent.children[index] : undefined;
  return (
    takes(element) ||
    (instead?.tagName === element.tagName && takes(instead)) ||
    (row?.isConnected === true
      ? oneTakes(parent?.querySelectorAll(CONTROL)) || oneTakes(row.querySelectorAll(CONTROL))
      : nextRowTakes(place))
  );
}

function settle(places: readonly Place[]): void {
  const found = places
    .toReversed()
    .some((place) => nearTakes(place) || oneTakes(place.layer?.querySelectorAll(CONTROL)));
  if (!found) {
    takes(document.querySelector("h1[tabindex]"));
  }
}

function isNowhere(active: Element | null): boolean {
  return active === null || active === document.body || active.matches(":disabled");
}

/**
 * Sees to it that the focus is somewhere, until the operator does something else or another layer takes
 * it: what has it back may still go, as a row does once its deletion is known. Answers how to stop.
 */
function keep(places: readonly Place[]): () => void {
  const over = new AbortController();
  const stop = () => over.abort();
  const look = () => {
    if (!over.signal.aborted && isNowhere(document.activeElement)) {
      settle(places);
    }
  };
  const observer = new MutationObserver(look);
  const watch = { childList: true, subtree: true, attributeFilter: ["disabled"] };
  // Before that, another layer may be about to open in this one's place.
  const first = setTimeout(look);
  const last = setTimeout(stop, KEEP_MS);
  over.signal.addEventListener("abort", () => {
    observer.disconnect();
    clearTimeout(first);
    clearTimeout(last);
  });
  observer.observe(document.body, watch);
  const { signal } = over;
  document.addEventListener("pointerdown", stop, { capture: true, signal });
  document.addEventListener("keydown", (event) => !event.repeat && stop(), {
    capture: true,
    signal,
  });
  document.addEventListener(
    "focusin",
    ({ target }) => {
      const layer = target instanceof Element ? target.closest(LAYER) : null;
      if (layer !== null && !places.some((place) => place.layer === layer)) {
        stop();
      }
    },
    { capture: true, signal },
  );
  return stop;
}

/** To be called when a layer opens; the answer, when it has closed. That answers how to stop keeping. */
export function rememberFocus(): () => () => void {
  note(document.activeElement);
  const places = trail;
  return () => keep(places);
}

/** The focus goes back when what `open` tells of closes or goes away. */
export function useReturnFocus(open: boolean): void {
  const stop = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    if (!open) {
      return;
    }
    // It was not closed for good, such as where its page is drawn anew.
    stop.current?.();
    const giveBack = rememberFocus();
    return () => {
      stop.current = giveBack();
    };
  }, [open]);
}
