/**
 * A row of tabs over one list: arrow keys walk, and what is walked to opens. With more tabs than there is room for, the
 * row scrolls, the open tab is in sight, and any of them can be found by its name.
 */
import { Select } from "antd";
import { useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode, RefObject } from "react";

interface Tab {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly disabled?: boolean;
}

interface TabRowProps {
  /** Accessible name. */
  label: string;
  tabs: readonly Tab[];
  /** Comes last and stays in sight. Does something instead of showing something: not by being walked to. */
  acting?: Tab;
  /** Null: none is open. */
  openKey: string | null;
  /** What the list of all tabs is called; it is there while the row has no room for them. */
  findLabel?: string;
  onOpen: (key: string) => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function TabRow({ label, tabs, acting, openKey, findLabel, onOpen }: TabRowProps) {
  const row = useRef<HTMLDivElement>(null);
  const strip = useRef<HTMLDivElement>(null);
  const isTight = useTight(strip);
  useOpenInSight(strip, openKey, isTight);
  const all = acting === undefined ? tabs : [...tabs, acting];
  const walk = (event: KeyboardEvent, from: number) => {
    const step = STEPS[event.key];
    const at = step === undefined ? -1 : (from + step + all.length) % all.length;
    const next = all[at];
    if (next === undefined) {
      return;
    }
    event.preventDefault();
    row.current?.querySelectorAll("button")[at]?.focus();
    if (next !== acting && next.disabled !== true) {
      onOpen(next.key);
    }
  };
  const reached = openKey ?? all[0]?.key;
  const shown = all.map((tab, at) => (
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
      {tab.icon}
      {tab.label}
    </button>
  ));
  return (
    <div className="k-tab-row">
      <div ref={row} role="tablist" aria-label={label} className="k-tab-list">
        <div ref={strip} role="presentation" className="k-tab-strip">
          {shown.slice(0, tabs.length)}
        </div>
        {shown.slice(tabs.length)}
      </div>
      {isTight && findLabel !== undefined && (
        <Select<string>
          className="k-tab-find"
          aria-label={findLabel}
          placeholder={findLabel}
          classNames={{ popup: { root: "k-tab-names" } }}
          placement="bottomRight"
          value={null}
          showSearch={{ optionFilterProp: "label" }}
          options={tabs.map(({ key, label: text }) => ({ value: key, label: text }))}
          onChange={onOpen}
        />
      )}
    </div>
  );
}

/** Whether the tabs are wider than the strip that they are in. */
function useTight(strip: RefObject<HTMLDivElement | null>): boolean {
  const [isTight, setTight] = useState(false);
  // Another name does not change the strip's own size: after every change of the row it is measured again.
  useLayoutEffect(() => {
    const { current } = strip;
    if (current === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() =>
      setTight(current.scrollWidth > current.clientWidth + 1),
    );
    observer.observe(current);
    return () => observer.disconnect();
  });
  return isTight;
}

/** Scrolls the strip, and nothing around it, as far as the tab that opens. */
function useOpenInSight(
  strip: RefObject<HTMLDivElement | null>,
  openKey: string | null,
  isTight: boolean,
): void {
  useLayoutEffect(() => {
    const { current } = strip;
    const tab = current?.querySelector("[aria-selected=true]");
    if (!isTight || current === null || tab === null || tab === undefined) {
      return;
    }
    const [frame, box] = [current.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (box.left < frame.left || box.right > frame.right) {
      const left = box.left - frame.left - Math.max(0, frame.width - box.width) / 2;
      current.scrollBy({ left });
    }
  }, [strip, openKey, isTight]);
}
