/** The pages that an operator may open: permitted routes that have a title and `menu`. */
import { useRouter } from "@tanstack/react-router";
import type { AnyRoute } from "@tanstack/react-router";
import { useUser } from "#lib/session.ts";
import type { Page } from "#lib/page.ts";
import type { APP_TEXTS } from "./app-texts.ts";
import type { Titles } from "./pages.ts";

export type PageTitleKey = keyof typeof APP_TEXTS.zh | keyof Titles;

export interface MenuItem {
  readonly path: string;
  readonly title: PageTitleKey;
  readonly icon: Page["icon"];
}

interface MenuGroup {
  /** Undefined for the pages that need no heading. */
  readonly title: PageTitleKey | undefined;
  readonly items: readonly MenuItem[];
}

function itemsOf(route: AnyRoute, permissions: readonly string[]): MenuItem[] {
  const children: AnyRoute[] = Object.values(route.children ?? {});
  return children.flatMap((child) => {
    const { title, menu, permission, icon } = child.options.staticData ?? {};
    const permitted = permission === undefined || permissions.includes(permission);
    const isPage = child.children === undefined && menu === true;
    return isPage && title !== undefined && permitted
      ? [{ path: child.fullPath, title, icon }]
      : [];
  });
}

export function useMenu(): MenuGroup[] {
  const router = useRouter();
  const { permissions } = useUser();
  const routes: AnyRoute[] = Object.values(router.routesById);
  return routes.flatMap((route) => {
    const { title, menu } = route.options.staticData ?? {};
    const items = menu === true ? itemsOf(route, permissions) : [];
    return items.length > 0 ? [{ title, items }] : [];
  });
}
