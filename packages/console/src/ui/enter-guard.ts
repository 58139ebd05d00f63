/**
 * Decides when Enter submits a form. Enter does not submit while it completes a Chinese word or the start of a date
 * range.
 */
import { useRef } from "react";
import type { CompositionEvent, KeyboardEvent } from "react";

/* Safari ends the composition before it sends the event of the key that ended it. */
const COMPOSITION_GRACE_MS = 100;
/* `keyCode` of a key that the input method handles. */
const IME_KEY = 229;

export type EnterKey = Pick<
  globalThis.KeyboardEvent,
  "key" | "isComposing" | "keyCode" | "timeStamp" | "target"
>;

function isHalfRange(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  const inputs = target.closest("[data-range]")?.querySelectorAll("input") ?? [];
  const empty = [...inputs].filter((input) => input.value === "").length;
  return empty > 0 && empty < inputs.length;
}

/**
 * Returns whether Enter has another meaning here: it confirms the typed text in a date picker, and takes the active
 * option in an open list.
 */
export function isChoosing(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    (target.closest(".ant-picker") !== null || target.getAttribute("aria-expanded") === "true")
  );
}

/**
 * Returns whether this key press must not submit the form. `compositionEndedAt` is the time stamp when the composition
 * ended.
 */
export function blocksSubmit(event: EnterKey, compositionEndedAt: number): boolean {
  if (event.key !== "Enter") {
    return false;
  }
  const composing =
    event.isComposing ||
    event.keyCode === IME_KEY ||
    event.timeStamp - compositionEndedAt < COMPOSITION_GRACE_MS;
  return composing || isHalfRange(event.target);
}

/**
 * Returns handlers for the element around a form. `alsoIn` returns true for other elements where Enter must not submit.
 */
export function useEnterGuard(alsoIn: (target: EventTarget | null) => boolean = () => false) {
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    onCompositionEndCapture: (event: CompositionEvent) => {
      compositionEndedAt.current = event.timeStamp;
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      const blocked = blocksSubmit(event.nativeEvent, compositionEndedAt.current);
      if (blocked || (event.key === "Enter" && alsoIn(event.target))) {
        event.preventDefault();
      }
    },
  };
}
