/**
 * Keeps the focus in place (WCAG 2.4.3): when the focused element is removed, for example with its dialog or row, the focus
 * returns to the previous element, or to the nearest one that is left. The library does so only for a layer that closes
 * and stays mounted.
 */

/** A focused element, and where to look for a neighbour once it is removed. */
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
/** Menus, options and tooltips are temporary: the place to return to is their opener. */
const PASSING = "#popups";

/* The last place in the page, and in each open layer above it. */
let trail: readonly Place[] = [];
/** Whether the focus is in a menu or list of options: it is lost when the menu closes. */
let isInPopup = false;

function rowsOf(list: Element | null | undefined): Element[] {
  return [...(list?.querySelectorAll(ROW) ?? [])];
}

/** Dialogs are in the same part of the page as menus, but are places of their own. */
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

/** False for an element that is removed, disabled or hidden. */
function tryFocus(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: true });
  return document.activeElement === element;
}

/** The element, controls of its row (or of the row that moved up), controls of its layer. */
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
  // Safari does not focus a clicked button. After a click beside all controls the focus is nowhere, on purpose.
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
