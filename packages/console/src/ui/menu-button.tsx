/** A button with a menu. The menu is a good part of the component library, so it comes with the first click. */
import { Suspense, cloneElement, lazy, useLayoutEffect, useRef, useState } from "react";
import type { ReactElement } from "react";
import { Hint } from "./hint.tsx";
import type { MenuProps } from "./menu.tsx";

const Menu = lazy(async () => {
  const { Menu: component } = await import("./menu.tsx");
  return { default: component };
});

interface MenuButtonProps extends Omit<MenuProps, "children"> {
  /** Told while the pointer rests on the button. */
  title?: string;
  /** The button. */
  children: ReactElement<{ onClick?: () => void; disabled?: boolean; "aria-haspopup"?: "menu" }>;
}

export function MenuButton({ menu, disabled = false, title, children }: MenuButtonProps) {
  const [wanted, setWanted] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const told = (button: MenuButtonProps["children"]) =>
    title === undefined ? button : <Hint title={title}>{button}</Hint>;
  const still = told(
    cloneElement(children, {
      "aria-haspopup": "menu",
      ...(disabled && { disabled }),
      onClick: () => setWanted(true),
    }),
  );
  return (
    <span className="k-menu-button" ref={place}>
      {wanted ? (
        <Suspense fallback={still}>
          <Menu menu={menu} disabled={disabled}>
            {told(children)}
          </Menu>
          <Focus place={place} />
        </Suspense>
      ) : (
        still
      )}
    </span>
  );
}

/** The button is another element once its menu is there: it has the focus that the first one had. */
function Focus({ place }: { place: { readonly current: HTMLSpanElement | null } }) {
  useLayoutEffect(() => {
    place.current?.querySelector("button")?.focus();
  }, [place]);
  return null;
}
