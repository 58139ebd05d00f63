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
 * The subject that a component's dialog is open for; null while it is closed. The caller renders the result of `show`. A
 * render without it, for example of another branch, closes the dialog: it does not come back with the branch.
 */
export function useOpened<T>() {
  const [value, open] = useState<T | null>(null);
  const isShown = useRef(false);
  const onShown = useCallback((is: boolean) => {
    isShown.current = is;
  }, []);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- each render may omit the dialog; does nothing once closed
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
