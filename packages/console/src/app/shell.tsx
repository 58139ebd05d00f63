import { CalendarOutlined, DownOutlined, EllipsisOutlined } from "@ant-design/icons";
import { QueryClientProvider } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { App, ConfigProvider } from "antd";
import enUS from "antd/es/locale/en_US";
import zhCN from "antd/es/locale/zh_CN";
import "dayjs/locale/zh-cn";
import { useLayoutEffect, useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { businessNow } from "#lib/clock.ts";
import { addTexts, useLanguage } from "#lib/language.ts";
import {
  controlSize,
  fixedHeader,
  tagsView,
  themeColour,
  useEffectiveTheme,
  usePreference,
} from "#lib/preferences.ts";
import { queryClient } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { useIsNarrow, useIsStill } from "#ui/media.ts";
import { deriveTheme } from "#ui/theme.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { dayjs, followClock } from "#ui/wall-time.ts";
import { useReloads } from "./page-reload.ts";
import { Banners } from "./banners.tsx";
import { ChangesView, PlayerView } from "./addressed-views.tsx";
import { Navbar } from "./navbar.tsx";
import { Notices } from "./notice-toasts.tsx";
import { Sidebar } from "./sidebar.tsx";
import { TagsView } from "./tags-view.tsx";
import { useSidebar } from "./use-sidebar.ts";
import "#ui/ui.css";
import "./shell.css";

addTexts("ui", UI_TEXTS);
addTexts("lookups", CODE_TEXTS);
addTexts("fields", FIELD_LABELS);

const CONTROL_SIZE = { default: "large", medium: "medium", small: "small" } as const;

/* Toasts appear below the navbar and the title of a drawer, so that they cover neither. */
const TOAST_TOP = 60;

/* Without `aria-hidden`, the icon's English name would become part of the control's name. */
const SELECT = { suffixIcon: <DownOutlined aria-hidden="true" /> };
const PICKER = { suffixIcon: <CalendarOutlined aria-hidden="true" /> };

/** Returns the container of menus, options, tooltips and toasts: a landmark beside the page. */
function popupPlace(label: string): HTMLElement {
  const existing = document.querySelector<HTMLElement>("#popups");
  const place = existing ?? document.createElement("div");
  if (existing === null) {
    place.id = "popups";
    place.setAttribute("role", "region");
    document.body.append(place);
  }
  place.setAttribute("aria-label", label);
  return place;
}

function Providers({ children }: { children: ReactNode }) {
  const { t } = useTranslation("ui");
  const language = useLanguage();
  const mode = useEffectiveTheme();
  const size = usePreference(controlSize);
  const colour = usePreference(themeColour);
  const isStill = useIsStill();
  const isNarrow = useIsNarrow();
  const theme = useMemo(
    () => deriveTheme(mode, colour, isStill, isNarrow),
    [mode, colour, isStill, isNarrow],
  );
  const { time_zone } = useUser();
  useLayoutEffect(() => followClock(() => businessNow(time_zone)), [time_zone]);
  useLayoutEffect(() => {
    dayjs.locale(language === "zh" ? "zh-cn" : "en");
  }, [language]);
  return (
    <ConfigProvider
      theme={theme}
      locale={language === "zh" ? zhCN : enUS}
      componentSize={CONTROL_SIZE[size]}
      // Add no space between two Chinese characters, because the specification's texts are literal.
      button={{ autoInsertSpace: false }}
      wave={{ disabled: true }}
      getPopupContainer={() => popupPlace(t("popups"))}
      select={SELECT}
      datePicker={PICKER}
      tabs={{ moreIcon: <EllipsisOutlined aria-label={t("more_tabs")} /> }}
    >
      <QueryClientProvider client={queryClient}>
        <App
          message={{ maxCount: 4, top: TOAST_TOP, getContainer: () => popupPlace(t("popups")) }}
          className="s-app"
        >
          {children}
        </App>
      </QueryClientProvider>
    </ConfigProvider>
  );
}

function Progress() {
  const underWay = useRouterState({ select: ({ status }) => status === "pending" });
  return underWay ? <div className="s-progress" /> : null;
}

function SkipLink() {
  const { t } = useTranslation("app");
  return (
    <a
      className="s-skip"
      href="#main"
      onClick={(event) => {
        // Move only the focus and leave the address to the router.
        event.preventDefault();
        document.querySelector<HTMLElement>("#main")?.focus();
      }}
    >
      {t("skip")}
    </a>
  );
}

function Frame() {
  const sidebar = useSidebar();
  const reloads = useReloads();
  const hasTags = usePreference(tagsView) === "1";
  const classes = [
    "s-frame",
    ...(sidebar.collapsed ? ["s-collapsed"] : []),
    ...(usePreference(fixedHeader) === "1" ? [] : ["s-loose"]),
  ];
  return (
    <div className={classes.join(" ")}>
      <Progress />
      <SkipLink />
      <Sidebar {...sidebar} />
      <div className="s-column">
        <Navbar {...sidebar} />
        {hasTags && <TagsView />}
        <Banners />
        <main id="main" tabIndex={-1} className="s-main">
          <Outlet key={reloads} />
        </main>
      </div>
      <Notices />
      <PlayerView key={reloads} />
      <ChangesView />
    </div>
  );
}

export function Shell() {
  return (
    <Providers>
      <Frame />
    </Providers>
  );
}
