import { Dropdown } from "antd";
import type { DropdownProps } from "antd";
import { cloneElement, useState } from "react";
import type { ReactElement } from "react";

interface MenuButtonProps {
  menu: NonNullable<DropdownProps["menu"]>;
  disabled?: boolean;
  children: ReactElement<{
    onClick?: () => void;
    "aria-haspopup"?: "menu";
    "aria-expanded"?: boolean;
  }>;
}

export function MenuButton({ menu, disabled = false, children }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = cloneElement(children, { "aria-haspopup": "menu", "aria-expanded": isOpen });
  return (
    <Dropdown
      trigger={["click"]}
      menu={menu}
      disabled={disabled}
      onOpenChange={setOpen}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- arrow keys must reach the entries of an opened menu
      autoFocus
      // A removed menu returns the focus to its opener (focus-return.ts).
      destroyOnHidden
    >
      {button}
    </Dropdown>
  );
}
