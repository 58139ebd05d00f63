import { Button, Tooltip } from "antd";
import type { ButtonProps, TooltipProps } from "antd";
import { cloneElement, useState } from "react";
import type { MouseEvent, ReactElement } from "react";

interface PressedProps {
  onClick?: ((event: MouseEvent<HTMLElement>) => void) | undefined;
  onPointerLeave?: (() => void) | undefined;
}

interface HintProps extends Omit<TooltipProps, "open" | "onOpenChange" | "children"> {
  title: string;
  children: ReactElement<PressedProps>;
}

/**
 * Tooltip of a button. A click closes the tooltip until the pointer leaves and returns. The component library sends Esc
 * to the topmost layer, which must be the layer that the button opens.
 */
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

/** Button with only an icon. The tooltip shows the name of the button. */
export function IconButton({ title, ...rest }: ButtonProps & { title: string }) {
  return (
    <Hint title={title}>
      <Button {...rest} type="text" aria-label={title} />
    </Hint>
  );
}
