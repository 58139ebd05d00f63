import type { ReactNode } from "react";

/** One figure with its name, for use inside a `<dl>`. */
export function Figure({ term, children }: { term: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className="k-num">{children}</dd>
    </div>
  );
}
