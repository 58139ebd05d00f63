/** The bar above the page: sidebar switch, where one is, and what concerns the operator. */
import {
  DesktopOutlined,
  DownOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  SunOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { Link, useMatches } from "@tanstack/react-router";
import { Button, Dropdown, Tooltip } from "antd";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, useLanguage } from "#lib/language.ts";
import { themeMode, usePreference } from "#lib/preferences.ts";
import type { ThemeMode } from "#lib/preferences.ts";
import { logOut, useUser } from "#lib/session.ts";
import { useToast } from "#ui/toast.tsx";
import type { SidebarState } from "./use-sidebar.ts";

function Breadcrumb() {
  const { t } = useTranslation("app");
  const places = useMatches().flatMap((match) => {
    const { title } = match.staticData;
    return title === undefined ? [] : [{ path: match.pathname, title }];
  });
  return (
    <nav aria-label={t("breadcrumb")} className="s-breadcrumb">
      <ol>
        {places.map(({ path, title }, index) => (
          <li key={path}>
            {index === places.length - 1 ? (
              <span aria-current="page">{t(title)}</span>
            ) : (
              <Link to={path}>{t(title)}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function LanguageButton() {
  const { t } = useTranslation("app");
  const language = useLanguage();
  const other = language === "zh" ? "en" : "zh";
  return (
    <Button
      type="text"
      className="s-tool"
      lang={other === "zh" ? "zh-CN" : "en"}
      onClick={() => void chooseLanguage(other)}
    >
      {t("other_language")}
    </Button>
  );
}

const THEME_ICONS = {
  light: <SunOutlined aria-hidden="true" />,
  dark: <MoonOutlined aria-hidden="true" />,
  system: <DesktopOutlined aria-hidden="true" />,
} as const;
const THEME_MODES: readonly ThemeMode[] = ["light", "dark", "system"];

function ThemeButton() {
  const { t } = useTranslation("app");
  const mode = usePreference(themeMode);
  return (
    <Dropdown
      trigger={["click"]}
      menu={{
        selectable: true,
        selectedKeys: [mode],
        items: THEME_MODES.map((each) => ({
          key: each,
          icon: THEME_ICONS[each],
          label: t(`theme_${each}`),
          onClick: () => themeMode.set(each),
        })),
      }}
    >
      <Button type="text" className="s-tool" icon={THEME_ICONS[mode]} aria-label={t("theme")} />
    </Dropdown>
  );
}

function subscribeFullscreen(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => {
    document.removeEventListener("fullscreenchange", listener);
  };
}

function FullscreenButton() {
  const { t } = useTranslation("app");
  const toast = useToast();
  const on = useSyncExternalStore(subscribeFullscreen, () => document.fullscreenElement !== null);
  const toggle = () => {
    if (!document.fullscreenEnabled) {
      toast.warning(t("fullscreen_unsupported"));
      return;
    }
    const change = on ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => toast.warning(t("fullscreen_unsupported")));
  };
  const label = t(on ? "leave_fullscreen" : "enter_fullscreen");
  return (
    <Tooltip title={label}>
      <Button
        type="text"
        className="s-tool"
        icon={
          on ? (
            <FullscreenExitOutlined aria-hidden="true" />
          ) : (
            <FullscreenOutlined aria-hidden="true" />
          )
        }
        aria-label={label}
        onClick={toggle}
      />
    </Tooltip>
  );
}

function UserMenu() {
  const { t } = useTranslation("app");
  const { name } = useUser();
  return (
    <Dropdown
      trigger={["click"]}
      menu={{
        items: [
          {
            key: "log_out",
            icon: <LogoutOutlined aria-hidden="true" />,
            label: t("log_out"),
            onClick: () => void logOut(),
          },
        ],
      }}
    >
      <Button type="text" className="s-tool s-user" aria-label={t("user_menu", { name })}>
        <UserOutlined aria-hidden="true" />
        <span className="s-user-name">{name}</span>
        <DownOutlined aria-hidden="true" className="s-caret" />
      </Button>
    </Dropdown>
  );
}

export function Navbar({ isMobile, collapsed, drawerOpen, toggle }: SidebarState) {
  const { t } = useTranslation("app");
  const open = isMobile ? drawerOpen : !collapsed;
  return (
    <header className="s-navbar">
      <Button
        type="text"
        className="s-tool"
        icon={
          open ? <MenuFoldOutlined aria-hidden="true" /> : <MenuUnfoldOutlined aria-hidden="true" />
        }
        aria-label={t(open ? "close_sidebar" : "open_sidebar")}
        aria-expanded={open}
        onClick={toggle}
      />
      <Breadcrumb />
      <div className="s-tools">
        <LanguageButton />
        <ThemeButton />
        {!isMobile && <FullscreenButton />}
        <UserMenu />
      </div>
    </header>
  );
}
