/** A button with a menu. */
import { Dropdown } from "antd";
import type { DropdownProps } from "antd";
import { cloneElement } from "react";
import type { ReactElement } from "react";
import { Hint } from "./hint.tsx";

interface MenuButtonProps {
  menu: NonNullable<DropdownProps["menu"]>;
  disabled?: boolean;
  /** Told while the pointer rests on the button. */
  title?: string;
  /** The button. */
  children: ReactElement<{ onClick?: () => void; "aria-haspopup"?: "menu" }>;
}

export function MenuButton({ menu, disabled = false, title, children }: MenuButtonProps) {
  const button = cloneElement(children, { "aria-haspopup": "menu" });
  return (
    <Dropdown trigger={["click"]} menu={menu} disabled={disabled}>
      {title === undefined ? button : <Hint title={title}>{button}</Hint>}
    </Dropdown>
  );
}
