import { useMatch, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";

/** Returns a function that tells whether the page of the calling component is still open. Check it after `await`. */
export function useOnPage(): () => boolean {
  const router = useRouter();
  // For a component of the shell, this is the root path.
  const path = useMatch({ strict: false, shouldThrow: false, select: ({ pathname }) => pathname });
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  // The old page stays mounted until the next page is loaded, although the address has already changed.
  return useCallback(
    () => isMounted.current && router.latestLocation.pathname.startsWith(path ?? "/"),
    [router, path],
  );
}
