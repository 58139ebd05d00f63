/** The pages that an operator may open: routes with a title and `menu`, if permitted. */
import { useRouter } from "@tanstack/react-router";
import type { AnyRoute } from "@tanstack/react-router";
import { useUser } from "#lib/session.ts";
import type { PageTitleKey } from "./app-texts.ts";

export interface MenuItem {
  readonly path: string;
  readonly title: PageTitleKey;
}

interface MenuGroup {
  /** Absent above pages that need no heading. */
  readonly title: PageTitleKey | undefined;
  readonly items: readonly MenuItem[];
}

function itemsOf(route: AnyRoute, permissions: readonly string[]): MenuItem[] {
  const children: AnyRoute[] = Object.values(route.children ?? {});
  return children.flatMap((child) => {
    const { title, menu, permission } = child.options.staticData ?? {};
    const permitted = permission === undefined || permissions.includes(permission);
    const isPage = child.children === undefined && menu === true;
    return isPage && title !== undefined && permitted ? [{ path: child.fullPath, title }] : [];
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
