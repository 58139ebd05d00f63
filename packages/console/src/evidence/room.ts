import { ClockCircleOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { AUDIT_SEARCH } from "./search.ts";

export const evidencePages = [
  {
    name: "activity_audit",
    path: "/audit",
    title: ["操作日志", "Audit log"],
    icon: ClockCircleOutlined,
    menu: 140,
    permission: "audit.read",
    search: AUDIT_SEARCH,
    load: async () => (await import("./audit-page.tsx")).AuditPage,
  },
] as const satisfies readonly Page[];
