/** Where the focus is in a dialog that has just opened. */
import { useCallback, useEffect, useRef } from "react";

const FIRST = "input:not([disabled]), textarea:not([disabled])";

/**
 * The first field has the focus once the dialog is there (`focus`, to be called then) and its values
 * are (`ready`), not the ✕. Who is quicker than that, and in a field already, stays there. `of` names
 * what the fields are about: with another one it starts over.
 */
export function useFirstField(ready: boolean, of: string) {
  const fields = useRef<HTMLDivElement>(null);
  const focus = useCallback(() => {
    if (fields.current?.contains(document.activeElement) !== true) {
      fields.current?.querySelector<HTMLElement>(FIRST)?.focus();
    }
  }, []);
  useEffect(() => {
    if (ready) {
      focus();
    }
  }, [ready, of, focus]);
  return { fields, focus };
}
