/** Widths at which the layout changes. */
import { MOBILE_BREAKPOINT } from "@red/contract/limits";
import { useCallback, useSyncExternalStore } from "react";

function useMedia(text: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = window.matchMedia(text);
      query.addEventListener("change", listener);
      return () => {
        query.removeEventListener("change", listener);
      };
    },
    [text],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(text).matches);
}

/** Below 992 px: the sidebar is a drawer, dialogs fill the screen, nothing is fixed (spec §9). */
export function useIsMobile(): boolean {
  return useMedia(`(max-width: ${MOBILE_BREAKPOINT - 0.02}px)`);
}

/** Operated by fingers: where a field takes the focus, a keyboard of the screen's covers half of it. */
export function useIsTouched(): boolean {
  return useMedia("(pointer: coarse)");
}

/** The operator has asked the system for as little movement as possible. */
export function useIsStill(): boolean {
  return useMedia("(prefers-reduced-motion: reduce)");
}

/** Too narrow for a table of many columns: rows are shown as cards. */
export function useIsNarrow(): boolean {
  return useMedia("(max-width: 719.98px)");
}
