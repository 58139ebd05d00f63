/**
 * A button with work in flight. The library's `loading` adds a word to the button's name, and after quick
 * work its closing animation can get stuck, which blocks all clicks.
 */
import { LoadingOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ButtonProps } from "antd";

interface BusyButtonProps extends Omit<ButtonProps, "loading"> {
  busy: boolean;
}

/** While `busy`, it keeps name and focus and ignores clicks. */
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
