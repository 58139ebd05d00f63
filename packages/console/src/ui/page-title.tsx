import type { ReactNode } from "react";
import { useEffect, useRef } from "react";

/* False until the first page is open. On that page the focus stays at the start of the document, before the skip
   link. */
let opened = false;

/** The h1 of a page. It receives the focus when the operator comes from another page. */
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
