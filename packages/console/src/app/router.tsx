/** Routes of the console (spec §2) and their guard. Every page is loaded lazily. */
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Permission } from "@red/contract/platform/permissions";
import { ACTIVITY_SEARCH } from "#rounds/activity-search.ts";
import { APPROVAL_SEARCH, AUDIT_SEARCH } from "#evidence/audit-search.ts";
import { EVENT_SEARCH } from "#events/event-filter.ts";
import { EXCLUSION_SEARCH } from "#players/exclusion-search.ts";
import { EXTRA_TIMES_SEARCH } from "#players/extra-times-search.ts";
import { LOGIN_SEARCH } from "#identity/use-login.ts";
import { KEY_SEARCH, OPERATOR_SEARCH } from "#identity/operator-search.ts";
import { PLAYER_SEARCH } from "#players/player-search.ts";
import { PRIZE_SEARCH } from "#pools/prize-search.ts";
import { QUERY_SEARCH } from "#records/query-search.ts";
import { RECONCILIATION_SEARCH } from "#finance/reconciliation-search.ts";
import { RECORD_SEARCH } from "#records/record-search.ts";
import { MONTH_SEARCH, SHEET_SEARCH } from "#finance/sheet-search.ts";
import { TAG_SEARCH } from "#rounds/tag-search.ts";
import { WEBHOOK_SEARCH } from "#webhooks/webhook-search.ts";
import { addTexts } from "#lib/language.ts";
import { part } from "#lib/part.tsx";
import { ownPath } from "#lib/redirect.ts";
import { NOT_PERMITTED_SEARCH, SHELL_SEARCH, parseSearch, stringifySearch } from "#lib/search.ts";
import { loadSession, onUserChange } from "#lib/session.ts";
import { reloadPage } from "./page-reload.ts";
import { APP_TEXTS } from "./app-texts.ts";
import type { PageTitleKey } from "./app-texts.ts";
import { LostPage, PageFailed, Root } from "./root.tsx";

addTexts("app", APP_TEXTS);

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** Title of the page, also in breadcrumb and sidebar. */
    title?: PageTitleKey;
    /** The page one level up, in the breadcrumb; the menu marks it by the path. */
    above?: { path: "/overview"; title: PageTitleKey };
    menu?: boolean;
    permission?: Permission;
  }
  interface Register {
    router: typeof router;
  }
}

type Module<N extends string> = Readonly<Record<N, ComponentType>>;

const page = <N extends string>(load: () => Promise<Module<N>>, name: N) =>
  part(async () => (await load())[name], LostPage);

/** Pages that need no session (spec §2 "Route guard"). */
const OPEN_PATHS = new Set(["/login", "/auth-redirect"]);

const root = createRootRoute({
  component: Root,
  beforeLoad: async ({ location, matches }) => {
    if (location.pathname === "/auth-redirect") {
      return;
    }
    const user = await loadSession();
    if (user === null) {
      if (!OPEN_PATHS.has(location.pathname)) {
        throw redirect({ to: "/login", search: { redirect: location.href }, replace: true });
      }
      return;
    }
    if (location.pathname === "/login") {
      throw redirect({ to: "/", replace: true });
    }
    const needed = matches.at(-1)?.staticData.permission;
    if (needed !== undefined && !user.permissions.includes(needed)) {
      throw redirect({ to: "/401", search: { permission: needed }, replace: true });
    }
  },
});

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  validateSearch: SHELL_SEARCH,
  staticData: { menu: true },
  component: page(() => import("./shell.tsx"), "Shell"),
});

const activityManage = createRoute({
  getParentRoute: () => shell,
  path: "/activity_manage",
  staticData: { title: "activity_manage", menu: true },
});

/** A page of the menu below `/activity_manage`. */
function managePage<const P extends string>(path: P, title: PageTitleKey, permission: Permission) {
  return {
    getParentRoute: () => activityManage,
    path,
    staticData: { title, menu: true, permission },
  };
}

const manage = activityManage.addChildren([
  createRoute({
    getParentRoute: () => activityManage,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/activity_manage/config", replace: true });
    },
  }),
  createRoute({
    ...managePage("/config", "activity_config", "activity.read"),
    validateSearch: ACTIVITY_SEARCH,
    component: page(() => import("#rounds/activity-page.tsx"), "ActivityPage"),
  }),
  createRoute({
    ...managePage("/prize", "activity_prize", "pool.read"),
    validateSearch: PRIZE_SEARCH,
    component: page(() => import("#pools/prize-page.tsx"), "PrizePage"),
  }),
  createRoute({
    ...managePage("/query", "activity_query", "record.read"),
    validateSearch: QUERY_SEARCH,
    component: page(() => import("#records/query-page.tsx"), "ActivityQueryPage"),
  }),
  createRoute({
    ...managePage("/distribution", "activity_distribution", "record.read"),
    validateSearch: RECORD_SEARCH,
    component: page(() => import("#records/record-page.tsx"), "RecordPage"),
  }),
  createRoute({
    ...managePage("/deposit_bet", "activity_deposit_bet", "player.read"),
    validateSearch: EVENT_SEARCH,
    component: page(() => import("#events/event-page.tsx"), "EventPage"),
  }),
  createRoute({
    ...managePage("/record", "activity_record", "player.read"),
    validateSearch: PLAYER_SEARCH,
    component: page(() => import("#players/player-page.tsx"), "PlayerPage"),
  }),
  createRoute({
    ...managePage("/add_num", "activity_add_num", "player.read"),
    validateSearch: EXTRA_TIMES_SEARCH,
    component: page(() => import("#players/extra-times-page.tsx"), "ExtraTimesPage"),
  }),
  createRoute({
    ...managePage("/exclusion", "activity_exclusion", "player.read"),
    validateSearch: EXCLUSION_SEARCH,
    component: page(() => import("#players/exclusion-page.tsx"), "ExclusionPage"),
  }),
  createRoute({
    ...managePage("/tag", "activity_tag", "activity.read"),
    validateSearch: TAG_SEARCH,
    component: page(() => import("#rounds/tag-page.tsx"), "TagPage"),
  }),
  createRoute({
    ...managePage("/reconciliation", "activity_reconciliation", "record.read"),
    validateSearch: RECONCILIATION_SEARCH,
    component: page(() => import("#finance/reconciliation-page.tsx"), "ReconciliationPage"),
  }),
  createRoute({
    ...managePage("/sheet", "activity_sheet", "record.read"),
    validateSearch: SHEET_SEARCH,
    component: page(() => import("#finance/sheet-page.tsx"), "SheetPage"),
  }),
  createRoute({
    ...managePage("/month", "activity_month", "record.read"),
    validateSearch: MONTH_SEARCH,
    component: page(() => import("#finance/month-page.tsx"), "MonthPage"),
  }),
  createRoute({
    ...managePage("/webhook", "activity_webhook", "webhook.manage"),
    validateSearch: WEBHOOK_SEARCH,
    component: page(() => import("#webhooks/webhook-page.tsx"), "WebhookPage"),
  }),
  createRoute({
    ...managePage("/audit", "activity_audit", "audit.read"),
    validateSearch: AUDIT_SEARCH,
    component: page(() => import("#evidence/audit-page.tsx"), "AuditPage"),
  }),
  // Everybody's: of each change, those see it who may make it.
  createRoute({
    getParentRoute: () => activityManage,
    path: "/approval",
    validateSearch: APPROVAL_SEARCH,
    staticData: { title: "activity_approval", menu: true },
    component: page(() => import("#approvals/approval-page.tsx"), "ApprovalPage"),
  }),
  createRoute({
    ...managePage("/operator", "activity_operator", "operator.manage"),
    validateSearch: OPERATOR_SEARCH,
    component: page(() => import("#identity/operator-page.tsx"), "OperatorPage"),
  }),
  createRoute({
    ...managePage("/key", "activity_key", "key.manage"),
    validateSearch: KEY_SEARCH,
    component: page(() => import("#identity/key-page.tsx"), "KeyPage"),
  }),
  createRoute({
    ...managePage("/settings", "activity_settings", "setting.manage"),
    component: page(() => import("#approvals/setting-page.tsx"), "SettingPage"),
  }),
  // Everybody's; reached from the menu of the user.
  createRoute({
    getParentRoute: () => activityManage,
    path: "/own",
    staticData: { title: "activity_own" },
    component: page(() => import("#identity/own-page.tsx"), "OwnPage"),
  }),
]);

const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: "/login",
    validateSearch: LOGIN_SEARCH,
    staticData: { title: "login" },
    component: page(() => import("#identity/login-page.tsx"), "LoginPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/auth-redirect",
    // Whatever the sign-in elsewhere answers is kept for the window that asked for it.
    validateSearch: (search: Readonly<Record<string, unknown>>) => search,
    staticData: { title: "auth_redirect" },
    component: page(() => import("./auth-redirect.tsx"), "AuthRedirect"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/404",
    staticData: { title: "not_found" },
    component: page(() => import("./error-pages.tsx"), "NotFoundPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/401",
    validateSearch: NOT_PERMITTED_SEARCH,
    staticData: { title: "not_permitted" },
    component: page(() => import("./error-pages.tsx"), "NotPermittedPage"),
  }),
  // Redirects to the path behind it with the same query, to reload that page.
  createRoute({
    getParentRoute: () => root,
    path: "/redirect/$",
    // Its fields are those of the target page.
    validateSearch: (search: Readonly<Record<string, unknown>>) => search,
    beforeLoad: ({ params, location }) => {
      reloadPage();
      const target = ownPath(`/${params._splat ?? ""}`) ?? "/";
      throw redirect({ to: target, search: parseSearch(location.searchStr), replace: true });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/activity_manage", replace: true });
    },
  }),
  shell.addChildren([
    createRoute({
      getParentRoute: () => shell,
      path: "/overview",
      staticData: { title: "activity_overview", menu: true, permission: "record.read" },
      component: page(() => import("#watch/watch-pages.tsx"), "OverviewPage"),
    }),
    createRoute({
      getParentRoute: () => shell,
      path: "/overview/$id",
      staticData: {
        title: "activity_board",
        above: { path: "/overview", title: "activity_overview" },
        permission: "record.read",
      },
      component: page(() => import("#watch/watch-pages.tsx"), "BoardPage"),
    }),
    manage,
  ]),
  createRoute({
    getParentRoute: () => root,
    path: "$",
    beforeLoad: () => {
      throw redirect({ to: "/404", replace: true });
    },
  }),
]);

export const router = createRouter({
  routeTree,
  basepath: "/red",
  parseSearch,
  stringifySearch,
  // Fields that the page does not declare are dropped from the address.
  search: { strict: true },
  defaultErrorComponent: PageFailed,
  // Load a page's chunk when it is opened, not when a link is hovered.
  defaultPreload: false,
  scrollRestoration: true,
  scrollToTopSelectors: ["#main", ".s-column"],
});

// Leaves a page that the operator may no longer see.
onUserChange(() => void router.invalidate());
