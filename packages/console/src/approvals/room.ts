import { CheckCircleOutlined, ToolOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { APPROVAL_SEARCH } from "./search.ts";

export const approvalsPages = [
  {
    name: "activity_approval",
    path: "/approval",
    title: ["审批", "Approvals"],
    icon: CheckCircleOutlined,
    menu: 150,
    search: APPROVAL_SEARCH,
    load: async () => (await import("./approval-page.tsx")).ApprovalPage,
  },
  {
    name: "activity_settings",
    path: "/settings",
    title: ["设置", "Settings"],
    icon: ToolOutlined,
    menu: 180,
    permission: "setting.manage",
    load: async () => (await import("./setting-page.tsx")).SettingPage,
  },
] as const satisfies readonly Page[];
