/** Sets and removes the address of the webhooks, and sends messages again (behaviour §14). */
import { randomBytes } from "node:crypto";
import { AppError, badInput } from "@red/contract/platform/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { isCallableUrl } from "#platform/config-values";
import type { Tx } from "#platform/db/connection";
import type { SecretBox } from "#platform/secret-box";
import { queueAgain } from "./message-sql.ts";
import { deleteWebhook, lockEndpoint, replaceWebhook } from "./webhook-sql.ts";

const SECRET_BYTES = 32;
/** A secret consists of this prefix and the key in base64. */
export const SECRET_PREFIX = "whsec_";

/**
 * Sets the address of the webhooks. All messages, also waiting messages, are sent there under a new secret, which
 * is shown only once. Throws `bad_input` unless the address is https (or http on loopback), without user, query
 * and fragment.
 */
export async function setWebhook(tx: Tx, actor: Actor, secrets: SecretBox, url: string) {
  if (!isCallableUrl(url)) {
    const msg =
      "give an https:// address without user, query and fragment (http:// on loopback only)";
    throw badInput([{ field: "url", msg }]);
  }
  const secret = `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;
  await replaceWebhook(tx, url, secrets.seal("webhook", secret));
  await insertAudit(tx, actor, {
    action: "set_webhook",
    object_type: "webhook",
    after: { url },
  });
  return { url, secret };
}

/** Removes the address, so no more messages are written or sent. Throws `bad_input` if there is no address. */
export async function removeWebhook(tx: Tx, actor: Actor): Promise<{ readonly url: string }> {
  const url = await deleteWebhook(tx);
  if (url === null) {
    throw badInput([{ field: "url", msg: "there is no webhook that could be removed" }]);
  }
  await insertAudit(tx, actor, {
    action: "remove_webhook",
    object_type: "webhook",
    before: { url },
  });
  return { url };
}

/**
 * Sends the chosen messages again, with their old ids. Throws webhook_not_set, and webhook_message_not_found if
 * none of the ids exists.
 */
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
