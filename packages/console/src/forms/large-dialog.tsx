import type { ModalProps } from "antd";
import { Dialog } from "#ui/dialog.tsx";
import { useIsMobile } from "#ui/media.ts";

interface LargeDialogProps extends Omit<ModalProps, "open" | "afterOpenChange" | "className"> {
  width: number;
  /** Time to move the focus from the ✕. */
  onOpened?: () => void;
}

/** A dialog that takes the whole screen on phones. */
export function LargeDialog({ width, onOpened, ...rest }: LargeDialogProps) {
  const isMobile = useIsMobile();
  return (
    <Dialog
      {...rest}
      open
      width={isMobile ? "100%" : width}
      className={isMobile ? "k-dialog k-dialog-full" : "k-dialog"}
      afterOpenChange={(open) => open && onOpened?.()}
    />
  );
}
