/** Sends messages again that an operator chooses (behaviour §14). */
import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { queueAgain } from "./message-sql.ts";
import { lockEndpoint } from "./webhook-sql.ts";

/** They keep their ids. Throws webhook_not_set, and webhook_message_not_found when none of them exists. */
export async function redeliverMessages(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
): Promise<void> {
  if ((await lockEndpoint(tx)) === null) {
    throw new AppError("webhook_not_set");
  }
  const queued = await queueAgain(tx, ids);
  if (queued.length === 0) {
    throw new AppError("webhook_message_not_found");
  }
  await insertAudit(tx, actor, {
    action: "redeliver_messages",
    object_type: "webhook",
    after: { ids: queued },
  });
}
