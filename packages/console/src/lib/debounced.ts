import { useEffect, useState } from "react";

const PAUSE_MS = 200;

export function useDebounced(value: string, pause_ms = PAUSE_MS): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause_ms);
    return () => clearTimeout(timer);
  }, [value, pause_ms]);
  return settled;
}
