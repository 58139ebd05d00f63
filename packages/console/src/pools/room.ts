import { GiftOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { PRIZE_SEARCH } from "./prize-search.ts";

export const poolsPages = [
  {
    name: "activity_prize",
    path: "/prize",
    title: ["奖品管理", "Prizes"],
    icon: GiftOutlined,
    menu: 20,
    permission: "pool.read",
    search: PRIZE_SEARCH,
    load: async () => (await import("./prize-page.tsx")).PrizePage,
    acts: [
      {
        title: ["新建奖池", "New pool"],
        words: "新增奖池 create",
        permission: "pool.write",
        search: { grid: "new" },
      },
      {
        title: ["新增奖品", "New prize"],
        words: "新建奖品 create",
        permission: "pool.write",
        search: { new: "1" },
      },
      {
        title: ["批量导入奖品", "Import prizes"],
        permission: "pool.write",
        search: { import: "1" },
      },
    ],
  },
] as const satisfies readonly Page[];
