/**
 * A button's hint. It is gone with the press, also where it had not come up yet: the library gives Esc to
 * the topmost of what is open, which has to be the layer that the button opens, and not its hint.
 */
import { Tooltip } from "antd";
import type { TooltipProps } from "antd";
import { cloneElement, useRef, useState } from "react";
import type { MouseEvent, ReactElement } from "react";

interface PressedProps {
  onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
  onPointerLeave?: (() => void) | undefined;
}

interface HintProps extends Omit<TooltipProps, "open" | "onOpenChange" | "children"> {
  title: string;
  /** The button. */
  children: ReactElement<PressedProps>;
}

/** Comes up while the pointer rests on the button; after a press only once the pointer has been elsewhere. */
export function Hint({ children, ...rest }: HintProps) {
  const [open, setOpen] = useState(false);
  const pressed = useRef(false);
  const { onClick } = children.props;
  return (
    <Tooltip {...rest} open={open} onOpenChange={(next) => setOpen(next && !pressed.current)}>
      {cloneElement(children, {
        onClick: (event) => {
          pressed.current = true;
          setOpen(false);
          onClick?.(event);
        },
        onPointerLeave: () => {
          pressed.current = false;
        },
      })}
    </Tooltip>
  );
}
