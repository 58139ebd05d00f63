/** Brand and navigation. */
import {
  AccountBookOutlined,
  ApiOutlined,
  CheckCircleOutlined,
  CalendarOutlined,
  ClockCircleOutlined,
  ToolOutlined,
  DashboardOutlined,
  FieldTimeOutlined,
  FileSearchOutlined,
  GiftOutlined,
  IdcardOutlined,
  KeyOutlined,
  ProfileOutlined,
  SwapOutlined,
  TagsOutlined,
  TransactionOutlined,
  TrophyOutlined,
  UserDeleteOutlined,
  UserOutlined,
} from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import { Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { currentConfig } from "#lib/config.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { sidebarLogo, usePreference } from "#lib/preferences.ts";
import brand from "#ui/brand.svg";
import type { PageTitleKey } from "./app-texts.ts";
import { useMenu } from "./menu.ts";
import type { SidebarState } from "./use-sidebar.ts";

const SidebarDrawer = lazyPart(
  async () => (await import("./sidebar-drawer.tsx")).SidebarDrawer,
  ({ drawerOpen, closeDrawer, ...lost }) => (
    <LoadFailedDialog {...lost} open={drawerOpen} onClose={closeDrawer} />
  ),
);

const ICONS: Partial<Record<PageTitleKey, ReactNode>> = {
  activity_overview: <DashboardOutlined aria-hidden="true" />,
  activity_config: <TrophyOutlined aria-hidden="true" />,
  activity_prize: <GiftOutlined aria-hidden="true" />,
  activity_query: <FileSearchOutlined aria-hidden="true" />,
  activity_distribution: <ProfileOutlined aria-hidden="true" />,
  activity_add_num: <FieldTimeOutlined aria-hidden="true" />,
  activity_exclusion: <UserDeleteOutlined aria-hidden="true" />,
  activity_record: <IdcardOutlined aria-hidden="true" />,
  activity_tag: <TagsOutlined aria-hidden="true" />,
  activity_reconciliation: <SwapOutlined aria-hidden="true" />,
  activity_month: <CalendarOutlined aria-hidden="true" />,
  activity_sheet: <AccountBookOutlined aria-hidden="true" />,
  activity_webhook: <ApiOutlined aria-hidden="true" />,
  activity_audit: <ClockCircleOutlined aria-hidden="true" />,
  activity_approval: <CheckCircleOutlined aria-hidden="true" />,
  activity_operator: <UserOutlined aria-hidden="true" />,
  activity_key: <KeyOutlined aria-hidden="true" />,
  activity_settings: <ToolOutlined aria-hidden="true" />,
  activity_deposit_bet: <TransactionOutlined aria-hidden="true" />,
};

function Menu({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation("app");
  const groups = useMenu();
  return (
    <nav aria-label={t("sidebar")} className="s-menu">
      {groups.map((group) => (
        <section key={group.title ?? ""} aria-label={group.title && t(group.title)}>
          {group.title && <h2 className="s-menu-group">{t(group.title)}</h2>}
          <ul>
            {group.items.map((item) => (
              <li key={item.path}>
                <Tooltip title={collapsed ? t(item.title) : ""} placement="right">
                  <Link
                    to={item.path}
                    className="s-menu-link"
                    activeOptions={{ includeSearch: false }}
                    activeProps={{ "aria-current": "page" }}
                  >
                    <span className="s-menu-icon" aria-hidden="true">
                      {ICONS[item.title]}
                    </span>
                    <span className="s-menu-text">{t(item.title)}</span>
                  </Link>
                </Tooltip>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** Name of the console (spec §2); can be hidden in the settings. */
function Brand() {
  if (usePreference(sidebarLogo) === "0") {
    return null;
  }
  return (
    <Link to="/" className="s-brand">
      <img src={brand} alt="" width={28} height={28} />
      <span className="s-brand-text">{currentConfig().title}</span>
    </Link>
  );
}

export function Sidebar(props: SidebarState) {
  const { isMobile, collapsed, drawerOpen, leftByLink, closeDrawer } = props;
  if (isMobile) {
    return (
      <SidebarDrawer {...{ drawerOpen, leftByLink, closeDrawer }}>
        <Brand />
        <Menu collapsed={false} />
      </SidebarDrawer>
    );
  }
  return (
    <aside className="s-sidebar">
      <Brand />
      <Menu collapsed={collapsed} />
    </aside>
  );
}
