/**
 * The library's dialog, opened after the first render was committed. The library listens to Esc during
 * render: a discarded render, as of a page still loading, would keep listening until the tab is closed.
 */
import { Modal } from "antd";
import type { ModalProps } from "antd";
import { useLayoutEffect, useState } from "react";

export function Dialog({ open, ...rest }: ModalProps & { open: boolean }) {
  const [kept, setKept] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- only an effect knows that the render was committed
  useLayoutEffect(() => setKept(true), []);
  return <Modal {...rest} open={kept && open} />;
}
