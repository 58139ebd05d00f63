import { webhooksCalls } from "@red/contract/webhooks/room";
import { room } from "#platform/http/room";
import { tidyMessages } from "./message-sql.ts";
import { startWebhooks } from "./webhook-job.ts";
import { webhookHandlers, webhookMeasured } from "./webhook-routes.ts";

export const webhooksRoom = room(webhooksCalls, () => ({ webhook: webhookHandlers }), {
  jobs: ({ workerDb, secrets, log }) => [startWebhooks({ db: workerDb, secrets, log })],
  chores: () => [{ done: "webhook messages tidied", run: tidyMessages }],
  measured: (db) => [webhookMeasured(db)],
});
