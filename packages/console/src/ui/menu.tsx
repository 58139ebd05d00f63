/** The library's menu under a button; loaded with the first one that is opened. */
import { Dropdown } from "antd";
import type { DropdownProps } from "antd";
import { useState } from "react";
import type { ReactElement } from "react";

export interface MenuProps {
  menu: NonNullable<DropdownProps["menu"]>;
  disabled?: boolean;
  children: ReactElement;
}

/** Open at once: it was asked for by the click that loaded it. */
export function Menu({ menu, disabled = false, children }: MenuProps) {
  const [open, setOpen] = useState(true);
  return (
    <Dropdown
      trigger={["click"]}
      menu={menu}
      disabled={disabled}
      open={open}
      onOpenChange={setOpen}
    >
      {children}
    </Dropdown>
  );
}
