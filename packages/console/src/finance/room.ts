import { AccountBookOutlined, CalendarOutlined, SwapOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { MONTH_SEARCH, RECONCILIATION_SEARCH, SHEET_SEARCH } from "./search.ts";

export const financePages = [
  {
    name: "activity_reconciliation",
    path: "/reconciliation",
    title: ["钱包对账", "Reconciliation"],
    icon: SwapOutlined,
    menu: 100,
    permission: "record.read",
    search: RECONCILIATION_SEARCH,
    load: async () => (await import("./reconciliation-page.tsx")).ReconciliationPage,
    acts: [
      {
        title: ["与钱包对账", "Compare with the wallet"],
        words: "核对 check",
        permission: "record.pay",
      },
    ],
  },
  {
    name: "activity_sheet",
    path: "/sheet",
    title: ["活动对账表", "Activity sheet"],
    icon: AccountBookOutlined,
    menu: 110,
    permission: "record.read",
    search: SHEET_SEARCH,
    load: async () => (await import("./sheet-page.tsx")).SheetPage,
  },
  {
    name: "activity_month",
    path: "/month",
    title: ["月度对账", "Month end"],
    icon: CalendarOutlined,
    menu: 120,
    permission: "record.read",
    search: MONTH_SEARCH,
    load: async () => (await import("./month-page.tsx")).MonthPage,
    acts: [
      {
        title: ["月结：签核一个月的活动", "Close a month: sign its activities"],
        words: "签核",
        permission: "sheet.sign",
      },
    ],
  },
] as const satisfies readonly Page[];
