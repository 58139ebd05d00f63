/**
 * On wide screens a cookie stores whether the sidebar is open or collapsed. Below 992 px the sidebar is a drawer,
 * which does not change the cookie (spec §2).
 */
import { useLocation } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { sidebarStatus, usePreference } from "#lib/preferences.ts";
import { useIsMobile } from "#ui/media.ts";

export interface SidebarState {
  readonly isMobile: boolean;
  readonly collapsed: boolean;
  readonly drawerOpen: boolean;
  /** True after a link closed the drawer. Then the heading of the opened page takes the focus. */
  readonly leftByLink: boolean;
  readonly toggle: () => void;
  readonly closeDrawer: () => void;
}

export function useSidebar(): SidebarState {
  const isMobile = useIsMobile();
  const collapsed = usePreference(sidebarStatus) === "0";
  const pathname = useLocation({ select: (location) => location.pathname });
  // The path on which the drawer was opened. The drawer closes on any other path and on a wide screen.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const [leftByLink, setLeftByLink] = useState(false);
  const drawerOpen = isMobile && openedOn === pathname;
  if (openedOn !== null && !drawerOpen) {
    setOpenedOn(null);
    setLeftByLink(openedOn !== pathname);
  }
  const toggle = useCallback(() => {
    if (isMobile) {
      setOpenedOn(drawerOpen ? null : pathname);
      setLeftByLink(false);
    } else {
      sidebarStatus.set(collapsed ? "1" : "0");
    }
  }, [isMobile, drawerOpen, pathname, collapsed]);
  const closeDrawer = useCallback(() => setOpenedOn(null), []);
  return {
    isMobile,
    collapsed: collapsed && !isMobile,
    drawerOpen,
    leftByLink,
    toggle,
    closeDrawer,
  };
}
