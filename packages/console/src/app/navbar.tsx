/** The bar above every page (spec §2 "Shell"). */
import {
  FullscreenExitOutlined,
  FullscreenOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  SettingOutlined,
} from "@ant-design/icons";
import { Link, useMatches } from "@tanstack/react-router";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { lazyPart } from "#lib/lazy-part.tsx";
import { IconButton } from "#ui/hint.tsx";
import { useIsFullscreen } from "#ui/media.ts";
import { useToast } from "#ui/toast.tsx";
import { Bell } from "./bell.tsx";
import { ErrorLogButton } from "./error-log.tsx";
import { Finder } from "./finder.tsx";
import { StopButton } from "#stops/stop-button.tsx";
import { LanguageButton, ThemeButton } from "./language-theme-buttons.tsx";
import type { SidebarState } from "./use-sidebar.ts";
import { UserMenu } from "./user-menu.tsx";

const SettingsDrawer = lazyPart(
  async () => (await import("./settings-drawer.tsx")).SettingsDrawer,
  LoadFailedDialog,
);

function SidebarSwitch({ isMobile, collapsed, drawerOpen, toggle }: SidebarState) {
  const { t } = useTranslation("app");
  const open = isMobile ? drawerOpen : !collapsed;
  const Icon = open ? MenuFoldOutlined : MenuUnfoldOutlined;
  return (
    <Button
      type="text"
      className="s-tool"
      icon={<Icon aria-hidden="true" />}
      aria-label={t(open ? "close_sidebar" : "open_sidebar")}
      aria-expanded={open}
      onClick={toggle}
    />
  );
}

function Breadcrumb() {
  const { t } = useTranslation("app");
  const places = useMatches().flatMap((match) => {
    const { title, above } = match.staticData;
    return title === undefined ? [] : [above ?? [], { path: match.pathname, title }].flat();
  });
  return (
    <nav aria-label={t("breadcrumb")} className="s-breadcrumb">
      <ol>
        {places.map(({ path, title }, index) => (
          <li key={path}>
            {index === places.length - 1 ? (
              <span aria-current="page" title={t(title)}>
                {t(title)}
              </span>
            ) : (
              <Link to={path}>{t(title)}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Switches full screen on and off, if the browser supports full screen (spec §8). */
function FullscreenButton() {
  const { t } = useTranslation("app");
  const toast = useToast();
  const on = useIsFullscreen();
  const toggle = () => {
    if (!document.fullscreenEnabled) {
      toast.warning(t("fullscreen_unsupported"));
      return;
    }
    const change = on ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => toast.warning(t("fullscreen_unsupported")));
  };
  const Icon = on ? FullscreenExitOutlined : FullscreenOutlined;
  return (
    <IconButton
      title={t(on ? "leave_fullscreen" : "enter_fullscreen")}
      className="s-tool"
      icon={<Icon aria-hidden="true" />}
      onClick={toggle}
    />
  );
}

function SettingsButton() {
  const { t } = useTranslation("app");
  const [state, setState] = useState<"unopened" | "open" | "closed">("unopened");
  return (
    <>
      <IconButton
        title={t("settings")}
        className="s-tool"
        icon={<SettingOutlined aria-hidden="true" />}
        onClick={() => setState("open")}
      />
      {state !== "unopened" && (
        <SettingsDrawer open={state === "open"} onClose={() => setState("closed")} />
      )}
    </>
  );
}

export function Navbar(sidebar: SidebarState) {
  return (
    <header className="s-navbar">
      <SidebarSwitch {...sidebar} />
      <Breadcrumb />
      <div className="s-tools">
        <Finder isMobile={sidebar.isMobile} />
        <StopButton />
        <Bell />
        <ErrorLogButton />
        {!sidebar.isMobile && (
          <>
            <LanguageButton />
            <ThemeButton />
            <FullscreenButton />
          </>
        )}
        <SettingsButton />
        <UserMenu />
      </div>
    </header>
  );
}
