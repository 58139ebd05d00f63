/** Description of a page, used by the router, the menu, the finder and the tabs. */
import type { Permission } from "@red/contract/platform/permissions";
import type { ComponentType } from "react";

/** Action on the page that the finder offers. */
export interface PageAct {
  readonly title: readonly [zh: string, en: string];
  /** Other search words for the action. */
  readonly words?: string;
  readonly permission: Permission;
  /** Search parameters of the page's address that start the action. */
  readonly search?: Readonly<Record<string, string>>;
}

export interface Page {
  /** Key of the page's title in the texts of the shell. */
  readonly name: string;
  readonly path: `/${string}`;
  readonly title: readonly [zh: string, en: string];
  readonly icon?: ComponentType<{ readonly "aria-hidden": "true" }>;
  /** Position in the menu. A page without a position is not in the menu. */
  readonly menu?: number;
  /** The page one level up, for the breadcrumb. */
  readonly above?: { readonly path: string; readonly title: string };
  /** Without a permission the page is open to every operator. */
  readonly permission?: Permission;
  readonly search?: (search: Readonly<Record<string, unknown>>) => object;
  readonly load: () => Promise<ComponentType>;
  readonly acts?: readonly PageAct[];
}
