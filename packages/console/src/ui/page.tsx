/**
 * Page with a title and two keys: `/` focuses the filters, and `r` reloads the list. The keys do nothing in fields and
 * while a layer is open. They can be switched off (WCAG 2.1.4).
 */
import type { ReactNode } from "react";
import { createContext, useEffect, useEffectEvent, useRef, useState } from "react";
import { PageTitle } from "./page-title.tsx";
import { useStored } from "./stored.ts";

const ENTRY =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox]";
const LAYERS =
  "[aria-modal=true], .ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, .s-bell";

/** Element beside the title for the tools of the page's only list. Null until the element is rendered. */
export const HeadContext = createContext<HTMLElement | null | undefined>(undefined);

/** Returns whether single-key shortcuts are on, and the setter. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  const [stored, store] = useStored("single_keys");
  return [stored !== "off", (on) => store(on ? null : "off")];
}

function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    ctrlKey ||
    metaKey ||
    altKey ||
    (target instanceof Element && target.closest(ENTRY) !== null) ||
    [...document.querySelectorAll(LAYERS)].some((layer) => layer.getClientRects().length > 0)
  );
}

interface PageProps {
  title: string;
  refresh?: () => void;
  tools?: ReactNode;
  children: ReactNode;
}

export function Page({ title, refresh, tools, children }: PageProps) {
  const page = useRef<HTMLDivElement>(null);
  const [singles] = useSingleKeys();
  const [head, setHead] = useState<HTMLElement | null>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!singles || isTaken(event)) {
      return;
    }
    if (event.key === "/") {
      const filters = "form[role=search] input:not([disabled])";
      const field = page.current?.querySelector<HTMLInputElement>(filters);
      field?.focus();
      field?.select();
      event.preventDefault();
    } else if (event.key.toLowerCase() === "r") {
      refresh?.();
    }
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
  return (
    <div ref={page} className="k-page">
      <div className="k-head">
        <PageTitle>{title}</PageTitle>
        <div ref={setHead} className="k-head-tools">
          {tools}
        </div>
      </div>
      <HeadContext value={head}>{children}</HeadContext>
    </div>
  );
}
