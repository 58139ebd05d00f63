import { Drawer } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SIDEBAR_WIDTH } from "@red/contract/platform/limits";
import type { SidebarState } from "./use-sidebar.ts";

type Props = Pick<SidebarState, "drawerOpen" | "leftByLink" | "closeDrawer"> & {
  children: ReactNode;
};

export function SidebarDrawer({ drawerOpen, leftByLink, closeDrawer, children }: Props) {
  const { t } = useTranslation("app");
  return (
    <Drawer
      open={drawerOpen}
      onClose={closeDrawer}
      placement="left"
      size={SIDEBAR_WIDTH}
      closable={false}
      focusable={{ focusTriggerAfterClose: !leftByLink }}
      aria-label={t("sidebar")}
      className="s-drawer"
      styles={{ body: { padding: 0 } }}
    >
      {children}
    </Drawer>
  );
}
