/** A row of tabs over one list: arrow keys walk, and what is walked to opens. */
import { useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";

interface Tab {
  readonly key: string;
  readonly label: ReactNode;
  readonly disabled?: boolean;
  /** Does something instead of showing something: not by being walked to. */
  readonly acts?: boolean;
}

interface TabRowProps {
  /** Accessible name. */
  label: string;
  tabs: readonly Tab[];
  /** Null: none is open. */
  openKey: string | null;
  onOpen: (key: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function TabRow({ label, tabs, openKey, onOpen }: TabRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const walk = (event: KeyboardEvent, from: number) => {
    const step = STEPS[event.key];
    const at = step === undefined ? -1 : (from + step + tabs.length) % tabs.length;
    const next = tabs[at];
    if (next === undefined) {
      return;
    }
    event.preventDefault();
    row.current?.querySelectorAll("button")[at]?.focus();
    if (next.acts !== true && next.disabled !== true) {
      onOpen(next.key);
    }
  };
  const reached = openKey ?? tabs[0]?.key;
  return (
    <div ref={row} role="tablist" aria-label={label} className="k-tab-row">
      {tabs.map((tab, at) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          className="k-tab"
          aria-selected={tab.key === openKey}
          tabIndex={tab.key === reached ? 0 : -1}
          disabled={tab.disabled === true}
          onClick={() => onOpen(tab.key)}
          onKeyDown={(event) => walk(event, at)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
