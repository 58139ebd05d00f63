import { Modal } from "antd";
import type { ModalProps } from "antd";
import { useLayoutEffect, useState } from "react";
import { useIsMobile } from "./media.ts";

/** In CSS pixels: a question or single field, a form, a form with a table, the activity editor. */
export const DIALOG_WIDTH = { small: 416, form: 520, table: 720, editor: 1000 } as const;

/**
 * Dialog of the component library that opens only after its first render is committed. The library starts to listen to
 * Esc during render. A discarded render, for example while a page loads, would leave its listener until the tab is
 * closed.
 */
export function Dialog({ open, ...rest }: ModalProps & { open: boolean }) {
  const [kept, setKept] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- only an effect knows that the render was committed
  useLayoutEffect(() => setKept(true), []);
  return <Modal {...rest} open={kept && open} />;
}

interface LargeDialogProps extends Omit<ModalProps, "open" | "afterOpenChange" | "className"> {
  width: number;
  /** Called when the dialog has opened, so that the caller can move the focus away from the ✕. */
  onOpened?: () => void;
}

/** Dialog that fills the whole screen on phones. */
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
