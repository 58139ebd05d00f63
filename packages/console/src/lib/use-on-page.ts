import { useMatch, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";

/** True while the calling component's page is open; check it after `await`. */
export function useOnPage(): () => boolean {
  const router = useRouter();
  // In the shell this is the root, with which every path begins.
  const path = useMatch({ strict: false, shouldThrow: false, select: ({ pathname }) => pathname });
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  // During navigation the old page remains until the next has loaded, although the address has changed.
  return useCallback(
    () => isHere.current && router.latestLocation.pathname.startsWith(path ?? "/"),
    [router, path],
  );
}
