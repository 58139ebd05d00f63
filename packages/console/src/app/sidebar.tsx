import { Link } from "@tanstack/react-router";
import { Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { currentConfig } from "#lib/config.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { sidebarLogo, usePreference } from "#lib/preferences.ts";
import brand from "#ui/brand.svg";
import { useMenu } from "./menu.ts";
import type { SidebarState } from "./use-sidebar.ts";

const SidebarDrawer = lazyPart(
  async () => (await import("./sidebar-drawer.tsx")).SidebarDrawer,
  ({ drawerOpen, closeDrawer, ...lost }) => (
    <LoadFailedDialog {...lost} open={drawerOpen} onClose={closeDrawer} />
  ),
);

function Menu({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation("app");
  const groups = useMenu();
  return (
    <nav aria-label={t("sidebar")} className="s-menu">
      {groups.map((group) => (
        <section key={group.title ?? ""} aria-label={group.title && t(group.title)}>
          {group.title && <h2 className="s-menu-group">{t(group.title)}</h2>}
          <ul>
            {group.items.map(({ path, title, icon: Icon }) => (
              <li key={path}>
                <Tooltip title={collapsed ? t(title) : ""} placement="right">
                  <Link
                    to={path}
                    className="s-menu-link"
                    activeOptions={{ includeSearch: false }}
                    activeProps={{ "aria-current": "page" }}
                  >
                    <span className="s-menu-icon" aria-hidden="true">
                      {Icon && <Icon aria-hidden="true" />}
                    </span>
                    <span className="s-menu-text">{t(title)}</span>
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

/** Name of the console (spec §2). The settings can hide this name. */
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
