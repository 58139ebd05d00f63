import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ReactNode } from "react";

interface ShownProps {
  onShown: (isShown: boolean) => void;
  children: ReactNode;
}

function Shown({ onShown, children }: ShownProps) {
  useLayoutEffect(() => {
    onShown(true);
    return () => onShown(false);
  }, [onShown]);
  return children;
}

/**
 * What a component has a dialog open for; null: closed. The caller places what `show` renders. A render without it, as of
 * another branch, closes the dialog for good: it cannot come back when that branch does.
 */
export function useOpened<T>() {
  const [value, open] = useState<T | null>(null);
  const isShown = useRef(false);
  const onShown = useCallback((is: boolean) => {
    isShown.current = is;
  }, []);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- each render may leave the dialog out; ends once closed
  useEffect(() => {
    if (value !== null && !isShown.current) {
      open(null);
    }
  });
  return {
    value,
    open,
    close: () => open(null),
    show: (dialog: (value: T) => ReactNode): ReactNode =>
      value !== null && <Shown onShown={onShown}>{dialog(value)}</Shown>,
  };
}
