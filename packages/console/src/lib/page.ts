/** What a page says about itself, once, for the router, the menu, the finder and the tabs. */
import type { Permission } from "@red/contract/platform/permissions";
import type { ComponentType } from "react";

/** What the finder offers to do on the page. */
export interface PageAct {
  readonly title: readonly [zh: string, en: string];
  /** Other words that find it. */
  readonly words?: string;
  readonly permission: Permission;
  /** The page's address fields that open it. */
  readonly search?: Readonly<Record<string, string>>;
}

export interface Page {
  /** Key of its title among the texts of the shell. */
  readonly name: string;
  readonly path: `/${string}`;
  readonly title: readonly [zh: string, en: string];
  readonly icon?: ComponentType<{ readonly "aria-hidden": "true" }>;
  /** Its place in the menu, in tens. Without a number the page is not in the menu. */
  readonly menu?: number;
  /** The page one level up, for the breadcrumb. */
  readonly above?: { readonly path: string; readonly title: string };
  /** Absent: for every operator. */
  readonly permission?: Permission;
  readonly search?: (search: Readonly<Record<string, unknown>>) => object;
  readonly load: () => Promise<ComponentType>;
  readonly acts?: readonly PageAct[];
}
