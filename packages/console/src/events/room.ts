import { TransactionOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { EVENT_SEARCH } from "./event-filter.ts";

export const eventsPages = [
  {
    name: "activity_deposit_bet",
    path: "/deposit_bet",
    title: ["存款投注查询", "Deposits and bets"],
    icon: TransactionOutlined,
    menu: 50,
    permission: "player.read",
    search: EVENT_SEARCH,
    load: async () => (await import("./event-page.tsx")).EventPage,
  },
] as const satisfies readonly Page[];
