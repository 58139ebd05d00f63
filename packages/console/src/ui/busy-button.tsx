/**
 * A button that shows that its work is under way. The library's own `loading` puts a word into the
 * button's name, and its leaving animation can stay behind for good when the work was quick, after
 * which the button takes no click any more.
 */
import { LoadingOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { ButtonProps } from "antd";

interface BusyButtonProps extends Omit<ButtonProps, "loading"> {
  busy: boolean;
}

/** While `busy`, it keeps its name and its focus, and takes no second click. */
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
