import { ApiOutlined } from "@ant-design/icons";
import type { Page } from "#lib/page.ts";
import { WEBHOOK_SEARCH } from "./search.ts";

export const webhooksPages = [
  {
    name: "activity_webhook",
    path: "/webhook",
    title: ["平台推送", "Webhooks"],
    icon: ApiOutlined,
    menu: 130,
    permission: "webhook.manage",
    search: WEBHOOK_SEARCH,
    load: async () => (await import("./webhook-page.tsx")).WebhookPage,
  },
] as const satisfies readonly Page[];
