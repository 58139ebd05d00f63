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
  readonly title: PageTitleKey;
  readonly items: readonly MenuItem[];
}

function itemsOf(route: AnyRoute, permissions: readonly string[]): MenuItem[] {
  const children: AnyRoute[] = Object.values(route.children ?? {});
  return children.flatMap((child) => {
    const { title, menu, permission } = child.options.staticData ?? {};
    const permitted = permission === undefined || permissions.includes(permission);
    return menu === true && title !== undefined && permitted
      ? [{ path: child.fullPath, title }]
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
    return title !== undefined && items.length > 0 ? [{ title, items }] : [];
  });
}
