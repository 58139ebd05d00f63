/**
 * Tabs with a name. The library puts the button that unfolds what has no room, and what stands beside the tabs,
 * among them, where nothing but tabs may be: the list of tabs is made to be the part without these.
 */
import { Tabs } from "antd";
import type { TabsProps } from "antd";
import { useLayoutEffect, useRef } from "react";

interface TabStripProps extends TabsProps {
  /** Accessible name of the list of tabs. */
  label: string;
}

export function TabStrip({ label, ...rest }: TabStripProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const whole = box.current?.querySelector(".ant-tabs-nav");
    whole?.removeAttribute("role");
    whole?.removeAttribute("aria-orientation");
    const list = box.current?.querySelector(".ant-tabs-nav-list");
    list?.setAttribute("role", "tablist");
    list?.setAttribute("aria-label", label);
  });
  return (
    <div ref={box} className="k-tabs">
      <Tabs {...rest} />
    </div>
  );
}
