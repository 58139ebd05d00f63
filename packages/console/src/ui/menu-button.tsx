import { Dropdown } from "antd";
import type { DropdownProps } from "antd";
import { cloneElement } from "react";
import type { ReactElement } from "react";
import { Hint } from "./hint.tsx";

interface MenuButtonProps {
  menu: NonNullable<DropdownProps["menu"]>;
  disabled?: boolean;
  title?: string;
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
