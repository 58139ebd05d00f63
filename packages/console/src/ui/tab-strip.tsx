/**
 * Tabs with an accessible name. The component library puts its overflow button and extra content inside the tab list,
 * where only tabs are allowed. So the role moves to the element that contains only tabs.
 */
import { Tabs } from "antd";
import type { TabsProps } from "antd";
import { useLayoutEffect, useRef } from "react";

interface TabStripProps extends TabsProps {
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
