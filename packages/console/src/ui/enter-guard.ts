/**
 * Enter sends a filter form, but not while it means something else: choosing a Chinese word, or
 * finishing the first end of a date range.
 */

/* Safari ends the composition before it tells of the key that ended it. */
const COMPOSITION_GRACE_MS = 100;
/* What keyCode is while an input method holds the key. */
const IME_KEY = 229;

export interface EnterKey {
  readonly key: string;
  readonly isComposing: boolean;
  readonly keyCode: number;
  /** Milliseconds of the same clock as `compositionEndedAt`. */
  readonly timeStamp: number;
  readonly target: EventTarget | null;
}

function isHalfRange(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) {
    return false;
  }
  const inputs = target.closest("[data-range]")?.querySelectorAll("input") ?? [];
  const empty = [...inputs].filter((input) => input.value === "").length;
  return empty > 0 && empty < inputs.length;
}

/** Must this key press be kept from sending the form? */
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
