/** Enter submits a form, except while it completes a Chinese word or the first end of a date range. */
import { useRef } from "react";
import type { CompositionEvent, KeyboardEvent } from "react";

/* Safari ends the composition before it sends the event of the key that ended it. */
const COMPOSITION_GRACE_MS = 100;
/* keyCode while an input method handles the key. */
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

/** In a date picker Enter confirms the typed text, in an open list it takes the active option. */
export function isChoosing(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    (target.closest(".ant-picker") !== null || target.getAttribute("aria-expanded") === "true")
  );
}

/** Whether this key press must not submit the form; `compositionEndedAt` is the time stamp of the composition's end. */
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

/** Handlers for the element around a form. `alsoIn` tells further targets where Enter must not submit. */
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
