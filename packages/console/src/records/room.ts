import { FileSearchOutlined, ProfileOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { QUERY_SEARCH, RECORD_SEARCH } from "./search.ts";

export const recordsPages = [
  {
    name: "activity_query",
    path: "/query",
    title: ["活动数据查询", "Activity data"],
    icon: FileSearchOutlined,
    menu: 30,
    permission: "record.read",
    search: QUERY_SEARCH,
    load: async () => (await import("./query-page.tsx")).ActivityQueryPage,
  },
  {
    name: "activity_distribution",
    path: "/distribution",
    title: ["发放记录", "Distribution records"],
    icon: ProfileOutlined,
    menu: 40,
    permission: "record.read",
    search: RECORD_SEARCH,
    load: async () => (await import("./record-page.tsx")).RecordPage,
    acts: [
      {
        title: ["补发被拒绝的记录", "Send refused payouts again"],
        words: "失败 failed",
        permission: "record.pay",
        search: { payout_state: "refused" },
      },
      {
        title: ["导出发放记录", "Export records"],
        words: "下载 download",
        permission: "record.read",
      },
    ],
  },
] as const satisfies readonly Page[];
