import { formatDateTime } from "@red/contract/platform/datetime";
import type { webhookRoutes } from "@red/contract/webhooks/webhook";
import { noRisk } from "@red/engine/risk";
import type { Db } from "#platform/db/connection";
import type { Handlers } from "#platform/handlers";
import type { Measured } from "#platform/http/metrics";
import { redeliverMessages } from "./change-webhook.ts";
import { countWaiting, selectMessages, selectNextDue } from "./message-sql.ts";
import { selectWebhook } from "./webhook-sql.ts";

export const webhookHandlers: Handlers<typeof webhookRoutes> = {
  async list({ db, query, services }) {
    const { timeZone } = services.settings;
    const timeOf = (at: Date | null) => (at === null ? null : formatDateTime(at, timeZone));
    const { rows, total } = await selectMessages(db, query);
    const webhook = await selectWebhook(db);
    const content = rows.map((row) => ({
      ...row,
      created_at: formatDateTime(row.created_at, timeZone),
      ended_at: timeOf(row.ended_at),
      next_at: timeOf(row.next_at),
    }));
    const host = webhook && new URL(webhook.url).host;
    const waiting = await countWaiting(db);
    const { failing_since = null, next_try_at = null, last_answer = null } = webhook ?? {};
    const due = failing_since === null ? null : await selectNextDue(db);
    const health = {
      failing_since: timeOf(failing_since),
      failing_answer: failing_since === null ? null : last_answer,
      // The address and the message each have a time of their next try. The later time counts.
      next_try_at: timeOf(
        due !== null && next_try_at !== null && next_try_at > due ? next_try_at : due,
      ),
    };
    return { data: { content, total, host, ...health, waiting } };
  },

  async redeliver({ tx, actor, body }) {
    await redeliverMessages(tx, actor, body.ids);
    return { data: null, msg: "redelivered", risk: noRisk("messages cost nothing") };
  },
};

export function webhookMeasured(db: Db): Measured {
  return {
    name: "redpacket_webhooks_waiting",
    help: "Messages to the platform that wait to be delivered",
    value: () => countWaiting(db),
  };
}
