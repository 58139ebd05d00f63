/**
 * A button's hint. It is gone with the press, also where it had not come up yet: the library gives Esc to
 * the topmost of what is open, which has to be the layer that the button opens, and not its hint.
 */
import { Tooltip } from "antd";
import type { TooltipProps } from "antd";
import { cloneElement, useState } from "react";
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
  const [state, setState] = useState<"down" | "up" | "pressed">("down");
  const { onClick } = children.props;
  const pressable = cloneElement(children, {
    onClick: (event) => {
      setState("pressed");
      onClick?.(event);
    },
    onPointerLeave: () => setState((now) => (now === "pressed" ? "down" : now)),
  });
  return (
    <Tooltip
      {...rest}
      open={state === "up"}
      onOpenChange={(next) => setState((now) => (now === "pressed" ? now : next ? "up" : "down"))}
    >
      {pressable}
    </Tooltip>
  );
}
