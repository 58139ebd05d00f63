import { MenuFoldOutlined, MenuUnfoldOutlined } from "@ant-design/icons";
import { Link, useMatches } from "@tanstack/react-router";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Bell } from "./bell.tsx";
import { ErrorLogButton } from "./error-log-button.tsx";
import { Finder } from "./finder.tsx";
import { FullscreenButton } from "./fullscreen-button.tsx";
import { SettingsButton } from "./settings-button.tsx";
import { StopButton } from "#stops/stop-button.tsx";
import { LanguageButton, ThemeButton } from "./language-theme-buttons.tsx";
import type { SidebarState } from "./use-sidebar.ts";
import { UserMenu } from "./user-menu.tsx";

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
