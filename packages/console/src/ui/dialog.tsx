/**
 * A dialog of the library, opened once it is certain to be on the page. The library listens to Esc while it is being
 * rendered already: a render that is thrown away, as of a page that is still on its way, would be listening for as
 * long as the tab lives.
 */
import { Modal } from "antd";
import type { ModalProps } from "antd";
import { useLayoutEffect, useState } from "react";

export function Dialog({ open, ...rest }: ModalProps & { open: boolean }) {
  const [kept, setKept] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- only here is it known that the render was kept
  useLayoutEffect(() => setKept(true), []);
  return <Modal {...rest} open={kept && open} />;
}
