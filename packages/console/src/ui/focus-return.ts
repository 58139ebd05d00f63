/**
 * Keeps the focus in place (WCAG 2.4.3). When the focused element is removed, for example with its dialog or row, the
 * focus returns to the previous element or the nearest element that remains. The component library does this only for a
 * layer that closes and stays mounted.
 */

/** A focused element, and where to find a neighbour after the element is removed. */
interface Place {
  readonly element: HTMLElement;
  /** Dialog or drawer of the element. Null if the element is in the page itself. */
  readonly layer: Element | null;
  readonly list: Element | null;
  readonly row: number;
}

const LAYER = ".ant-modal-root, .ant-drawer";
const ROW = "tr[data-row-key], li.k-card, li.s-tag";
const CONTROL = "a[href], button, input, select, textarea";
/** Contains menus, options and tooltips. They are temporary, so the focus returns to the element that opened them. */
const PASSING = "#popups";

/* The last focused place in the page, and in each open layer above the page. */
let trail: readonly Place[] = [];
/** True while the focus is in a menu or a list of options. The focus is lost when the menu closes. */
let isInPopup = false;

function rowsOf(list: Element | null | undefined): Element[] {
  return [...(list?.querySelectorAll(ROW) ?? [])];
}

/**
 * Returns whether the target is in a temporary popup. Dialogs are in the same container, but the focus can return to
 * them.
 */
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

/** Focuses the element. Returns false if the element is removed, disabled or hidden. */
function tryFocus(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: true });
  return document.activeElement === element;
}

/**
 * Returns, in this order, the element, the controls of its row (or of the row that moved up), and the controls of its
 * layer.
 */
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

/** Call it once when the console starts. */
export function watchFocus(): void {
  const arrive = (target: Element) => {
    isInPopup = isPassing(target);
    remember(target);
  };
  document.addEventListener("focusin", ({ target }) => arrive(target as Element), true);
  // Remembers the clicked control, because Safari does not focus a clicked button. After a click outside all controls,
  // the focus stays nowhere on purpose.
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
