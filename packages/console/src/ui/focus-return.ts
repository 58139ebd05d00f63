/**
 * Keeps the focus in place (WCAG 2.4.3): when the focused element goes away, as with a dialog or a row, the
 * focus goes back to the previous element or the nearest one left. The library does so only for a layer that
 * stays mounted and closes.
 */

/** A focused element, and how to find its place once it is gone. */
interface Place {
  readonly element: HTMLElement;
  /** Its dialog or drawer; null for the page. */
  readonly layer: Element | null;
  readonly list: Element | null;
  readonly row: number;
}

const LAYER = ".ant-modal-root, .ant-drawer";
const ROW = "tr[data-row-key], li.k-card, li.s-tag";
const CONTROL = "a[href], button, input, select, textarea";
/** Menus, options and tooltips are temporary: the place is that of their opener. */
const PASSING = "#popups";

/* The last place in the page, and in each layer open over it. */
let trail: readonly Place[] = [];
/** Whether a menu or an option has the focus: it takes the focus with it when it closes. */
let isInPopup = false;

function rowsOf(list: Element | null | undefined): Element[] {
  return [...(list?.querySelectorAll(ROW) ?? [])];
}

/** Dialogs lie in the same part of the page as menus do, and are places of their own. */
function isPassing(target: Element): boolean {
  return target.closest(LAYER) === null && target.closest(PASSING) !== null;
}

function remember(target: Element | null): void {
  if (target instanceof HTMLElement && target !== document.body && !isPassing(target)) {
    const layer = target.closest(LAYER);
    const row = target.closest(ROW);
    const list = row?.parentElement ?? null;
    const index = trail.findIndex((place) => place.layer === layer);
    const below = trail.slice(0, index === -1 ? trail.length : index);
    const place = { element: target, layer, list, row: row ? rowsOf(list).indexOf(row) : -1 };
    trail = [...below.filter((each) => each.layer?.isConnected !== false), place];
  }
}

/** Focusing fails on what is gone, disabled or hidden. */
function tryFocus(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: true });
  return document.activeElement === element;
}

/** Candidates: the element, a control of its row or the row that moved up, one of its layer. */
function candidatesFor({ element, layer, list, row }: Place): Element[] {
  const rows = list?.isConnected === true ? rowsOf(list) : [];
  const controls = [rows.at(Math.min(row, rows.length - 1)), layer].flatMap((box) => [
    ...(box?.querySelectorAll(CONTROL) ?? []),
  ]);
  return [element, ...controls];
}

function restoreFocus(): void {
  const isNowhere = (document.activeElement ?? document.body) === document.body;
  const last = trail.at(-1)?.element;
  if (isNowhere && last !== undefined && (isInPopup || !last.isConnected)) {
    const candidates = [
      ...trail.toReversed().flatMap(candidatesFor),
      ...document.querySelectorAll("h1"),
    ];
    candidates.some(tryFocus);
  }
}

/** Call once at the start. */
export function watchFocus(): void {
  const arrive = (target: Element) => {
    isInPopup = isPassing(target);
    remember(target);
  };
  document.addEventListener("focusin", ({ target }) => arrive(target as Element), true);
  // Safari does not focus a clicked button. A click on no control moves the focus nowhere, on purpose.
  const press = (target: Element) => {
    const control = target.closest(CONTROL);
    remember(control);
    if (control === null && target.closest(`${LAYER}, ${PASSING}`) === null) {
      trail = [];
    }
  };
  document.addEventListener("pointerdown", ({ target }) => press(target as Element), true);
  new MutationObserver(restoreFocus).observe(document.body, { childList: true, subtree: true });
}
