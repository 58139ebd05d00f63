import { FieldTimeOutlined, IdcardOutlined, UserDeleteOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { EXCLUSION_SEARCH, EXTRA_TIMES_SEARCH, PLAYER_SEARCH } from "./search.ts";

export const playersPages = [
  {
    name: "activity_record",
    path: "/record",
    title: ["用户数据查询", "User data"],
    icon: IdcardOutlined,
    menu: 60,
    permission: "player.read",
    search: PLAYER_SEARCH,
    load: async () => (await import("./player-page.tsx")).PlayerPage,
  },
  {
    name: "activity_add_num",
    path: "/add_num",
    title: ["次数管理", "Extra draws"],
    icon: FieldTimeOutlined,
    menu: 70,
    permission: "player.read",
    search: EXTRA_TIMES_SEARCH,
    load: async () => (await import("./extra-times-page.tsx")).ExtraTimesPage,
    acts: [
      {
        title: ["批量添加次数", "Grant extra draws"],
        permission: "player.grant",
        search: { grant: "1" },
      },
    ],
  },
  {
    name: "activity_exclusion",
    path: "/exclusion",
    title: ["排除名单", "Exclusions"],
    icon: UserDeleteOutlined,
    menu: 80,
    permission: "player.read",
    search: EXCLUSION_SEARCH,
    load: async () => (await import("./exclusion-page.tsx")).ExclusionPage,
    acts: [
      {
        title: ["新增排除名单", "Exclude players"],
        words: "新建",
        permission: "player.exclude",
        search: { new: "1" },
      },
    ],
  },
] as const satisfies readonly Page[];
