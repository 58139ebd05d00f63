/**
 * Open or collapsed on wide screens, remembered in a cookie; below 992 px a drawer of its own, so
 * that coming back to a wide screen finds the operator's choice unchanged (spec §2 "Shell").
 */
import { useLocation } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { sidebarStatus, usePreference } from "#lib/preferences.ts";
import { useIsMobile } from "#ui/media.ts";

export interface SidebarState {
  readonly isMobile: boolean;
  readonly collapsed: boolean;
  readonly drawerOpen: boolean;
  /** The drawer was left by going to another page, whose heading takes the focus. */
  readonly leftByLink: boolean;
  readonly toggle: () => void;
  readonly closeDrawer: () => void;
}

export function useSidebar(): SidebarState {
  const isMobile = useIsMobile();
  const collapsed = usePreference(sidebarStatus) === "0";
  const pathname = useLocation({ select: (location) => location.pathname });
  // The drawer belongs to the page on which it was opened: any navigation closes it.
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const drawerOpen = isMobile && openedOn === pathname;
  const toggle = useCallback(() => {
    if (isMobile) {
      setOpenedOn(drawerOpen ? null : pathname);
    } else {
      sidebarStatus.set(collapsed ? "1" : "0");
    }
  }, [isMobile, drawerOpen, pathname, collapsed]);
  const closeDrawer = useCallback(() => setOpenedOn(null), []);
  const leftByLink = openedOn !== null && openedOn !== pathname;
  return {
    isMobile,
    collapsed: collapsed && !isMobile,
    drawerOpen,
    leftByLink,
    toggle,
    closeDrawer,
  };
}
