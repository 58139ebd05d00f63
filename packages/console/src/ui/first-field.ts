import { useCallback, useEffect, useRef } from "react";

const FIRST = "input:not([disabled]), textarea:not([disabled])";

/**
 * Focuses the first field instead of the ✕, once the dialog is open (call `focus` then) and its values are
 * loaded (`ready`), unless the operator is in a field already. Starts over when `subject` changes.
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
