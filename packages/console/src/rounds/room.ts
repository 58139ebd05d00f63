import { TagsOutlined, TrophyOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { ACTIVITY_SEARCH, TAG_SEARCH } from "./search.ts";

export const roundsPages = [
  {
    name: "activity_config",
    path: "/config",
    title: ["活动管理", "Activities"],
    icon: TrophyOutlined,
    menu: 10,
    permission: "activity.read",
    search: ACTIVITY_SEARCH,
    load: async () => (await import("./activity-page.tsx")).ActivityPage,
    acts: [
      {
        title: ["新增活动", "New activity"],
        words: "新建活动 create",
        permission: "activity.write",
        search: { new: "1" },
      },
    ],
  },
  {
    name: "activity_tag",
    path: "/tag",
    title: ["组别与站内信", "Groups and messages"],
    icon: TagsOutlined,
    menu: 90,
    permission: "activity.read",
    search: TAG_SEARCH,
    load: async () => (await import("./tag-page.tsx")).TagPage,
  },
] as const satisfies readonly Page[];
