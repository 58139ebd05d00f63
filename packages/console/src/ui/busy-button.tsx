import { LoadingOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ButtonProps } from "antd";

interface BusyButtonProps extends Omit<ButtonProps, "loading"> {
  busy: boolean;
}

/**
 * Button that ignores clicks while `busy`, and keeps its name and focus. The `loading` prop of the component library
 * adds a word to the name. After quick work its closing animation can also stop half-way and block all clicks.
 */
export function BusyButton({ busy, icon, onClick, ...rest }: BusyButtonProps) {
  return (
    <Button
      {...rest}
      aria-busy={busy}
      icon={busy ? <LoadingOutlined aria-hidden="true" /> : icon}
      onClick={(event) => {
        if (busy) {
          event.preventDefault();
        } else {
          onClick?.(event);
        }
      }}
    />
  );
}
