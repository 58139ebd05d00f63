/** Commands to set, show and remove the address for messages to the platform (behaviour §14). */
import { removeWebhook, setWebhook } from "#webhooks/change-webhook";
import { countWaiting } from "#webhooks/message-sql";
import { selectWebhook } from "#webhooks/webhook-sql";
import { inTransaction } from "#platform/db/connection";
import type { Call, Command, Report } from "./command.ts";

async function set(call: Call): Promise<Report> {
  const db = await call.open("current");
  const secrets = await call.secrets(db);
  const url = call.value("url");
  const made = await inTransaction(db, (tx) => setWebhook(tx, call.actor, secrets, url));
  const lines = [`url:    ${made.url}`, `secret: ${made.secret}`, "the secret is shown this once"];
  return { json: made, lines };
}

async function show(call: Call): Promise<Report> {
  const db = await call.open("current");
  const webhook = await selectWebhook(db);
  const waiting = await countWaiting(db);
  const failing = webhook?.failing_since ?? null;
  const lines = [
    webhook === null
      ? "no webhook is set"
      : `${webhook.url}, set ${webhook.created_at.toISOString()}`,
    `${waiting} messages wait${failing === null ? "" : `, it fails since ${failing.toISOString()}`}`,
  ];
  return { json: { webhook, waiting }, lines };
}

async function remove(call: Call): Promise<Report> {
  const removed = await call.write((tx) => removeWebhook(tx, call.actor));
  return { json: removed, lines: [`${removed.url} is told nothing any more`] };
}

export const webhookCommands: readonly Command[] = [
  {
    name: "webhooks set",
    summary: "tell a platform about payouts, stock and pauses; the new secret is shown once",
    positional: "url",
    options: { url: { value: "URL", help: "where messages are posted", required: true } },
    run: set,
  },
  {
    name: "webhooks show",
    summary: "show the address, and how many messages wait",
    run: show,
  },
  {
    name: "webhooks remove",
    summary: "tell the platform nothing any more",
    run: remove,
  },
];
