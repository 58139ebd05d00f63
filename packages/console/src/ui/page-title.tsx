import type { ReactNode } from "react";
import { useEffect, useRef } from "react";

/* On the first page the focus stays at the start of the document, before the skip link. */
let opened = false;

/** The h1 of a page. It gets the focus when the page is opened from another one. */
export function PageTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (opened) {
      heading.current?.focus({ preventScroll: true });
    }
    opened = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="k-title">
      {children}
    </h1>
  );
}
