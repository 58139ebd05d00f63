import { useMatch, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";

/** Whether the calling component's page is still open. Check it after `await`. */
export function useOnPage(): () => boolean {
  const router = useRouter();
  // In the shell this is the root path.
  const path = useMatch({ strict: false, shouldThrow: false, select: ({ pathname }) => pathname });
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  // The old page stays mounted until the next one has loaded, although the address has changed.
  return useCallback(
    () => isMounted.current && router.latestLocation.pathname.startsWith(path ?? "/"),
    [router, path],
  );
}
