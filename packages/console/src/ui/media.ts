import { MOBILE_BREAKPOINT } from "@red/contract/platform/limits";
import { useCallback, useSyncExternalStore } from "react";

export function useMedia(text: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = window.matchMedia(text);
      query.addEventListener("change", listener);
      return () => query.removeEventListener("change", listener);
    },
    [text],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(text).matches);
}

/** True below 992 px. The sidebar is then a drawer, dialogs fill the screen and no columns are fixed (spec §9). */
export function useIsMobile(): boolean {
  return useMedia(`(max-width: ${MOBILE_BREAKPOINT - 0.02}px)`);
}

/** True on touch devices, where a focused field opens a keyboard over half of the screen. */
export function useIsTouched(): boolean {
  return useMedia("(pointer: coarse)");
}

/** True if the system asks for reduced motion. */
export function useIsStill(): boolean {
  return useMedia("(prefers-reduced-motion: reduce)");
}

/** True if the screen is too narrow for tables. Rows are then shown as cards. */
export function useIsNarrow(): boolean {
  return useMedia("(max-width: 719.98px)");
}

function onFullscreen(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => document.removeEventListener("fullscreenchange", listener);
}

export function useIsFullscreen(): boolean {
  return useSyncExternalStore(onFullscreen, () => document.fullscreenElement !== null);
}
