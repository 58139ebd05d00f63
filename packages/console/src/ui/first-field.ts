import { useCallback, useEffect, useRef } from "react";

const FIRST = "input:not([disabled]), textarea:not([disabled])";

/**
 * Moves the focus from the ✕ to the first field, unless a field already has the focus. This happens when the values are
 * loaded (`ready`) and when `subject` changes. Call the returned `focus` when the dialog has opened.
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
