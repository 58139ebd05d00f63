/**
 * Keys of a list page. A key means something only where nothing nearer to the focus takes it: not in
 * a field, not under an open dialog or menu. Those of one character can be switched off (WCAG 2.1.4).
 */
import { useEffect, useEffectEvent } from "react";
import type { RefObject } from "react";
import { useStored } from "./stored.ts";

export type KeyAct = "filter" | "refresh" | "help" | "turn" | "read" | "leave" | "stop";

interface Meaning {
  readonly act: KeyAct;
  /** Which way to go, for turning pages and reading on. */
  readonly by: 1 | -1;
  /** Of one character, and so can be switched off. */
  readonly single?: boolean;
}

const KEYS: Readonly<Record<string, Meaning>> = {
  "/": { act: "filter", by: 1, single: true },
  r: { act: "refresh", by: 1, single: true },
  R: { act: "refresh", by: 1, single: true },
  "?": { act: "help", by: 1, single: true },
  ArrowLeft: { act: "turn", by: -1 },
  ArrowRight: { act: "turn", by: 1 },
  PageUp: { act: "read", by: -1 },
  PageDown: { act: "read", by: 1 },
  Escape: { act: "stop", by: 1 },
};

const ENTRY =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox]";
const LAYERS =
  "[aria-modal=true], .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, .ant-popover";
/* What goes through its own entries by arrows. */
const ARROWED = "[role=tablist], [role=menu], [role=radiogroup], [role=slider], [role=tree]";

function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}

function scrollsSideways(target: Element): boolean {
  const box = target.closest(".ant-table-content");
  return box !== null && box.scrollWidth > box.clientWidth;
}

/** What a key press asks of the page; null where it is not for the page. */
export function meaningOf(event: KeyboardEvent, singles: boolean): Meaning | null {
  const meaning = KEYS[event.key];
  const { target } = event;
  if (
    meaning === undefined ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.isComposing ||
    (meaning.single === true && !singles) ||
    [...document.querySelectorAll(LAYERS)].some(isShown)
  ) {
    return null;
  }
  if (!(target instanceof Element)) {
    return meaning;
  }
  if (target.closest(ENTRY) !== null) {
    const leaves = event.key === "Escape" && target.closest("form[role=search]") !== null;
    return leaves ? { act: "leave", by: 1 } : null;
  }
  const taken =
    meaning.act === "turn" && (target.closest(ARROWED) !== null || scrollsSideways(target));
  return taken ? null : meaning;
}

/* Less than the whole height, so that the last row read stays in view. */
const STEP = 0.9;

function hasRoom(box: Element, by: 1 | -1): boolean {
  return by === 1 ? box.scrollTop + box.clientHeight < box.scrollHeight - 1 : box.scrollTop > 0;
}

/** Scrolls on by a screenful, where something around the page can; false at the end. */
function scrollOn(page: Element, by: 1 | -1): boolean {
  const boxes: Element[] = [...page.querySelectorAll(".k-panel .ant-table-content")];
  for (let box = page.parentElement; box !== null; box = box.parentElement) {
    boxes.push(box);
  }
  const box = boxes.find((each) => {
    const { overflowY } = getComputedStyle(each);
    const scrolls = overflowY === "auto" || overflowY === "scroll";
    return (scrolls || each === document.documentElement) && hasRoom(each, by);
  });
  box?.scrollBy({ top: by * box.clientHeight * STEP });
  return box !== undefined;
}

function focusFilter(page: Element): void {
  const field = page.querySelector<HTMLInputElement>("form[role=search] input:not([disabled])");
  field?.focus();
  field?.select();
}

/** What the keys of a page do; what is left out means nothing there. */
export interface PageKeys {
  readonly refresh?: (() => void) | undefined;
  /** Goes this many pages on; does nothing at the ends. */
  readonly turn?: ((by: 1 | -1) => void) | undefined;
  readonly stop?: (() => void) | undefined;
}

/** Whether keys of one character mean something, and the switch for it. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const [stored, store] = useStored("single_keys");
  return [stored !== "off", (on) => store(on ? null : "off")];
}

/** Listens for the keys of the page that is open. */
export function usePageKeys(
  page: RefObject<HTMLElement | null>,
  keys: PageKeys,
  help: () => void,
): void {
  const [singles] = useSingleKeys();
  const press = useEffectEvent((event: KeyboardEvent) => {
    const meaning = meaningOf(event, singles);
    const element = page.current;
    if (meaning === null || element === null) {
      return;
    }
    const { by } = meaning;
    const { refresh, turn, stop } = keys;
    const acts: Record<KeyAct, (() => void) | undefined> = {
      filter: () => focusFilter(element),
      refresh,
      help,
      turn: turn && (() => turn(by)),
      read: () => (scrollOn(element, by) ? undefined : turn?.(by)),
      leave: () => element.querySelector<HTMLElement>(".k-panel")?.focus({ preventScroll: true }),
      stop,
    };
    const act = acts[meaning.act];
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    // Before anything on the way closes the layer that the key is for.
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener, { capture: true });
    return () => {
      window.removeEventListener("keydown", listener, { capture: true });
    };
  }, []);
}
