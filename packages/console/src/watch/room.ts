import { DashboardOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";

export const watchPages = [
  {
    name: "activity_overview",
    path: "/overview",
    title: ["总览", "Overview"],
    icon: DashboardOutlined,
    menu: 1,
    permission: "record.read",
    load: async () => (await import("./watch-pages.tsx")).OverviewPage,
  },
  {
    name: "activity_board",
    path: "/overview/$id",
    title: ["活动看板", "Round board"],
    above: { path: "/overview", title: "activity_overview" },
    permission: "record.read",
    load: async () => (await import("./watch-pages.tsx")).BoardPage,
  },
] as const satisfies readonly Page[];
