/** Dialogs and their widths. */
import { Modal } from "antd";
import type { ModalProps } from "antd";
import { useLayoutEffect, useState } from "react";
import { useIsMobile } from "./media.ts";

/** In CSS pixels: a question or single field, a form, a form with a table, the activity editor. */
export const DIALOG_WIDTH = { small: 416, form: 520, table: 720, editor: 1000 } as const;

/**
 * The library's dialog, opened after its first render is committed. The library starts listening to Esc during render: a
 * render that is discarded, for example while a page loads, would leave its listener until the tab is closed.
 */
export function Dialog({ open, ...rest }: ModalProps & { open: boolean }) {
  const [kept, setKept] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- only an effect knows that the render was committed
  useLayoutEffect(() => setKept(true), []);
  return <Modal {...rest} open={kept && open} />;
}

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
