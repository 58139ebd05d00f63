/**
 * Nobody starts at the top of the page again (WCAG 2.4.3): when what had the focus goes away, as a dialog or a row
 * does, the focus goes to what had it before, or to what is nearest to that. The library does so only for a layer
 * that stays and is told to close.
 */

/** What was used, and what tells its place once it is gone. */
interface Place {
  readonly element: HTMLElement;
  /** The layer it stands in; null for the page. */
  readonly layer: Element | null;
  readonly list: Element | null;
  readonly row: number;
}

const LAYER = ".ant-modal-root, .ant-drawer";
const ROW = "tr[data-row-key], li.k-card, li.s-tag";
const CONTROL = "a[href], button, input, select, textarea";
/** Menus, lists of choices and hints come and go: what they belong to is meant. */
const PASSING = "#popups";

/* The last place in the page, and in each layer that is open over it. */
let trail: readonly Place[] = [];

function rowsOf(list: Element | null | undefined): Element[] {
  return [...(list?.querySelectorAll(ROW) ?? [])];
}

function note(target: Element | null): void {
  const layer = target?.closest(LAYER) ?? null;
  const isPassing = layer === null && target?.closest(PASSING) !== null;
  if (target instanceof HTMLElement && target !== document.body && !isPassing) {
    const row = target.closest(ROW);
    const list = row?.parentElement ?? null;
    const at = trail.findIndex((place) => place.layer === layer);
    const below = trail.slice(0, at === -1 ? trail.length : at);
    const place = { element: target, layer, list, row: row ? rowsOf(list).indexOf(row) : -1 };
    trail = [...below.filter((each) => each.layer?.isConnected !== false), place];
  }
}

/** Nothing takes the focus that is gone, disabled or hidden. */
function takes(element: Element): boolean {
  (element as HTMLElement).focus({ preventScroll: true });
  return document.activeElement === element;
}

/** What stands there now: the same, another control of its row or of the row that has moved up, or of its layer. */
function nearest({ element, layer, list, row }: Place): Element[] {
  const rows = list?.isConnected === true ? rowsOf(list) : [];
  const controls = [rows.at(Math.min(row, rows.length - 1)), layer].flatMap((box) => [
    ...(box?.querySelectorAll(CONTROL) ?? []),
  ]);
  return [element, ...controls];
}

function look(): void {
  const isNowhere = (document.activeElement ?? document.body) === document.body;
  if (isNowhere && trail.at(-1)?.element.isConnected === false) {
    const near = [...trail.toReversed().flatMap(nearest), ...document.querySelectorAll("h1")];
    near.some(takes);
  }
}

/** Follows what is used, from the start. */
export function watchFocus(): void {
  document.addEventListener("focusin", ({ target }) => note(target as Element), true);
  // Safari does not put the focus on a button that is clicked. Who clicks beside everything wants it nowhere.
  const press = (target: Element) => {
    const control = target.closest(CONTROL);
    note(control);
    if (control === null && target.closest(`${LAYER}, ${PASSING}`) === null) {
      trail = [];
    }
  };
  document.addEventListener("pointerdown", ({ target }) => press(target as Element), true);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}
