import { MenuFoldOutlined, MenuUnfoldOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { Breadcrumb } from "./breadcrumb.tsx";
import { ErrorLogButton } from "./error-log-button.tsx";
import { FullscreenButton } from "./fullscreen-button.tsx";
import { PlayerSearch } from "./player-search.tsx";
import { SettingsButton } from "./settings-button.tsx";
import { StopButton } from "./stop-button.tsx";
import { LanguageButton, ThemeButton } from "./taste-buttons.tsx";
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

export function Navbar(sidebar: SidebarState) {
  return (
    <header className="s-navbar">
      <SidebarSwitch {...sidebar} />
      <Breadcrumb />
      <div className="s-tools">
        <PlayerSearch isMobile={sidebar.isMobile} />
        <StopButton />
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
