/**
 * A dialog of the library, opened once it is certain to be on the page. The library listens to Esc
 * while it is being drawn already: a drawing that is thrown away, as by a page that is still on its
 * way, would be listening for as long as the tab lives.
 */
import { Modal } from "antd";
import type { ModalProps } from "antd";
import { useLayoutEffect, useState } from "react";
import { useReturnFocus } from "./focus-return.ts";

export function Dialog({ open, ...rest }: ModalProps & { open: boolean }) {
  const [kept, setKept] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- only here is it known that the drawing was kept
  useLayoutEffect(() => setKept(true), []);
  useReturnFocus(open);
  return <Modal {...rest} open={kept && open} />;
}
