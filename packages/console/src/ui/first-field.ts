import { useCallback, useEffect, useRef } from "react";

const FIRST = "input:not([disabled]), textarea:not([disabled])";

/**
 * Moves the focus from the ✕ to the first field, unless the operator is in a field already: when the dialog has opened
 * (call `focus` then), when its values are loaded (`ready`), and when `subject` changes.
 */
export function useFirstField(ready: boolean, subject: string) {
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
  }, [ready, subject, focus]);
  return { fields, focus };
}
