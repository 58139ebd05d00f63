/** Whether what asked for something is still there when the answer comes. */
import { useCallback, useEffect, useRef } from "react";

/** True while the component that calls it is on the page; for what follows an `await`. */
export function useStillHere(): () => boolean {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}
