import type { ReactNode } from "react";

/** A figure and what it is, in a list of such. */
export function Figure({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="k-num">{children}</dd>
    </div>
  );
}
