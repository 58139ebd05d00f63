/** Pages of this folder: operators, platform keys, own account. The sign-in page has no shell around it. */
import { KeyOutlined, UserOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { KEY_SEARCH, LOGIN_SEARCH, OPERATOR_SEARCH } from "./search.ts";

export const identityPages = [
  {
    name: "activity_operator",
    path: "/operator",
    title: ["操作员", "Operators"],
    icon: UserOutlined,
    menu: 160,
    permission: "operator.manage",
    search: OPERATOR_SEARCH,
    load: async () => (await import("./operator-page.tsx")).OperatorPage,
  },
  {
    name: "activity_key",
    path: "/key",
    title: ["平台密钥", "Platform keys"],
    icon: KeyOutlined,
    menu: 170,
    permission: "key.manage",
    search: KEY_SEARCH,
    load: async () => (await import("./key-page.tsx")).KeyPage,
  },
  {
    name: "activity_own",
    path: "/own",
    title: ["我的账号", "My account"],
    load: async () => (await import("./own-page.tsx")).OwnPage,
  },
] as const satisfies readonly Page[];

export const loginPages = [
  {
    name: "login",
    path: "/login",
    title: ["登录", "Sign in"],
    search: LOGIN_SEARCH,
    load: async () => (await import("./login-page.tsx")).LoginPage,
  },
] as const satisfies readonly Page[];
