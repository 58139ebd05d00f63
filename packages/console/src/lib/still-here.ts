/** Whether what asked for something is still there when the answer comes. */
import { useMatch, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";

/** True while the component that calls it is on the page that is open; for what follows an `await`. */
export function useStillHere(): () => boolean {
  const router = useRouter();
  // Of the shell this is the root, with which every page's path begins.
  const path = useMatch({ strict: false, shouldThrow: false, select: ({ pathname }) => pathname });
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  // A page is there until the next one has come, whose address holds already.
  return useCallback(
    () => isHere.current && router.latestLocation.pathname.startsWith(path ?? "/"),
    [router, path],
  );
}
