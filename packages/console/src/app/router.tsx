/** Routes of the console (spec §2) and the check before each route. Every page is loaded lazily. */
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import type { AnyRoute } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { Permission } from "@red/contract/platform/permissions";
import type { Page } from "#lib/page.ts";
import { addTexts } from "#lib/language.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { ownPath } from "#lib/redirect.ts";
import { NOT_PERMITTED_SEARCH, SHELL_SEARCH, parseSearch, stringifySearch } from "#lib/search.ts";
import { loadSession, onUserChange } from "#lib/session.ts";
import { reloadPage } from "./page-reload.ts";
import { APP_TEXTS } from "./app-texts.ts";
import type { PageTitleKey } from "./menu.ts";
import { PAGES, TITLES } from "./pages.ts";
import { LostPage, PageFailed, Root } from "./root.tsx";

addTexts("app", APP_TEXTS);
addTexts("app", TITLES);

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** Title of the page. The breadcrumb and the sidebar also show this title. */
    title?: PageTitleKey;
    /** The page one level up in the breadcrumb. The menu finds its marked entry by the path instead. */
    above?: NamedPage["above"];
    menu?: boolean;
    permission?: Permission;
    icon?: Page["icon"];
  }
  interface Register {
    router: typeof router;
  }
}

type Module<N extends string> = Readonly<Record<N, ComponentType>>;

const page = <N extends string>(load: () => Promise<Module<N>>, name: N) =>
  lazyPart(async () => (await load())[name], LostPage);

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

interface NamedPage extends Page {
  readonly name: PageTitleKey;
  readonly above?: { readonly path: string; readonly title: PageTitleKey };
}

interface TypedPage<P extends string, S extends object> extends NamedPage {
  readonly path: P & Page["path"];
  readonly search?: (search: Readonly<Record<string, unknown>>) => S;
}

/** Creates the route of a page. The chunk of the page is loaded when the page is opened. */
function routeOf<R extends AnyRoute, P extends string, S extends object>(
  parent: () => R,
  page: TypedPage<P, S>,
) {
  const { name, title: _, path, search, load, menu, ...said } = page;
  return createRoute({
    getParentRoute: parent,
    path,
    ...(search && { validateSearch: search }),
    staticData: { ...said, title: name, menu: menu !== undefined },
    component: lazyPart(load, LostPage),
  });
}

type RouteOf<R extends AnyRoute, G> = G extends {
  readonly path: infer P extends string;
  readonly search?: (search: Readonly<Record<string, unknown>>) => infer S extends object;
}
  ? ReturnType<typeof routeOf<R, P, S>>
  : never;

/** The router knows the type of each path, so a link to a missing page is a compile error. */
const routesOf = <R extends AnyRoute, G extends NamedPage>(parent: () => R, pages: readonly G[]) =>
  pages.map((page) => routeOf(parent, page)) as unknown as readonly RouteOf<R, G>[];

const manage = activityManage.addChildren([
  createRoute({
    getParentRoute: () => activityManage,
    path: "/",
    beforeLoad: () => {
      throw redirect({ to: "/activity_manage/config", replace: true });
    },
  }),
  ...routesOf(() => activityManage, PAGES.managed),
]);

const routeTree = root.addChildren([
  ...routesOf(() => root, PAGES.login),
  createRoute({
    getParentRoute: () => root,
    path: "/auth-redirect",
    // Keep all fields that the external sign-in adds to the address, because the opener window reads these fields.
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
  // Redirects to the path after `/redirect/` with the same query, which reloads that page.
  createRoute({
    getParentRoute: () => root,
    path: "/redirect/$",
    // The query has the fields of the target page.
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
  shell.addChildren([...routesOf(() => shell, PAGES.watch), manage]),
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
  // Remove fields from the address that the page does not declare.
  search: { strict: true },
  defaultErrorComponent: PageFailed,
  // Load the chunk of a page when the page is opened, not when the pointer is over a link.
  defaultPreload: false,
  scrollRestoration: true,
  scrollToTopSelectors: ["#main", ".s-column"],
});

// When the user changes, check again whether the operator may see the open page.
onUserChange(() => void router.invalidate());
