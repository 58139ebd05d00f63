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
 * Keeps the subject that a dialog is open for, or null while the dialog is closed. The caller renders the result of
 * `show`. If a render omits this result, the dialog closes and does not reopen by itself later.
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
