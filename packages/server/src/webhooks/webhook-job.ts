/**
 * Delivers the messages of the webhooks (behaviour §14). One loop stores new answers and claims due messages in
 * one transaction. A timer wakes the loop; with notifications instead, commits of payouts would wait for each
 * other. Any number of processes may run the loop: if a process dies, its leases expire and other processes send
 * the messages again.
 */
import { createHmac } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createExchanger } from "#payouts/wallet-client";
import { createBell } from "#platform/bell";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { noteUpkeep } from "#platform/http/metrics";
import type { SecretBox } from "#platform/secret-box";
import type { Logger } from "pino";
import { SECRET_PREFIX } from "./change-webhook.ts";
import { claimMessages, settleMessages } from "./message-sql.ts";
import type { AnsweredMessage, ClaimedMessage } from "./message-sql.ts";
import { holdTries, lockEndpoint, updateFailing } from "./webhook-sql.ts";
import type { Endpoint } from "./webhook-sql.ts";

/** All times are milliseconds. */
export const WEBHOOK_LIMITS = {
  callsInFlight: 32,
  callDeadlineMs: 10_000,
  leaseMs: 30_000,
  pollMs: 1_000,
  /** How long a stop waits for calls in flight before it aborts them. */
  stopWaitMs: 5_000,
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Pauses after the first, second, … attempt. The last pause repeats. */
export const RETRY_MS: readonly number[] = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

/** Returns body and headers of one attempt. Each attempt is signed with its own time. */
export function signedMessage(
  { message_id, type, created_at, data }: Omit<ClaimedMessage, "id" | "attempts">,
  secret: string,
) {
  const body = JSON.stringify({ type, timestamp: created_at.toISOString(), data });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  const mac = createHmac("sha256", key).update(`${message_id}.${timestamp}.${body}`);
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "webhook-id": message_id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${mac.digest("base64")}`,
  };
  return { body, headers };
}

function prepare(db: Db, secrets: SecretBox) {
  const givenUp = new AbortController();
  // Every call in flight listens to this signal, so Node's limit on listeners is switched off.
  setMaxListeners(0, givenUp.signal);
  return {
    db,
    secrets,
    exchanger: createExchanger(WEBHOOK_LIMITS.callDeadlineMs),
    bell: createBell(),
    calls: new Set<Promise<void>>(),
    /** Answers that are not stored yet. */
    answered: [] as AnsweredMessage[],
    /** Aborts the calls in flight. */
    givenUp,
    isStopping: false,
  };
}

type Work = ReturnType<typeof prepare>;

/** Sends one message. Never rejects. `claimedAt` is in ms of the monotonic clock. */
async function deliver(
  { exchanger, answered, bell, givenUp }: Work,
  { url }: Endpoint,
  secret: string,
  message: ClaimedMessage,
  claimedAt: number,
): Promise<void> {
  // If this process was suspended, its lease may be lost. Then another process sends the message.
  if (performance.now() - claimedAt > WEBHOOK_LIMITS.leaseMs - WEBHOOK_LIMITS.callDeadlineMs) {
    return;
  }
  const signed = signedMessage(message, secret);
  const request = { method: "POST", url: new URL(url), ...signed } as const;
  const result = await exchanger.exchange(request, givenUp.signal, (exchanged) => {
    const isSound = !("missing" in exchanged);
    const is_taken = isSound && exchanged.status >= 200 && exchanged.status < 300;
    const answer = isSound ? `status ${exchanged.status}` : exchanged.missing;
    return { value: { is_taken, answer }, isSound };
  });
  const { id, attempts } = message;
  const retry_ms = RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] ?? 0;
  answered.push({ id, attempts, ...result, retry_ms });
  bell.ring();
}

/** Stores the new answers, and starts as many calls as the limit allows. */
async function turn(work: Work): Promise<void> {
  const { db, calls, answered } = work;
  const stored = answered.slice();
  const claimedAt = performance.now();
  const claimed = await inTransaction(db, async (tx) => {
    let endpoint = await lockEndpoint(tx);
    const last = stored.at(-1);
    if (last !== undefined) {
      await settleMessages(tx, stored);
      const isTaken = stored.some(({ is_taken }) => is_taken);
      await updateFailing(tx, isTaken, last.answer);
      endpoint = await lockEndpoint(tx);
    }
    const { callsInFlight, leaseMs } = WEBHOOK_LIMITS;
    const room = work.isStopping ? 0 : callsInFlight - calls.size;
    if (endpoint === null || !endpoint.may_try || room === 0) {
      return null;
    }
    // Opens the secret before any claim. With a wrong SECRET_KEY this throws, and the whole turn is retried.
    const secret = work.secrets.open("webhook", endpoint.secret);
    const messages = await claimMessages(tx, endpoint.is_failing ? 1 : room, leaseMs);
    if (endpoint.is_failing && messages.length > 0) {
      await holdTries(tx, leaseMs);
    }
    return { endpoint, secret, messages };
  });
  answered.splice(0, stored.length);
  if (claimed === null) {
    return;
  }
  for (const message of claimed.messages) {
    const call = deliver(work, claimed.endpoint, claimed.secret, message, claimedAt);
    calls.add(call);
    void call.finally(() => calls.delete(call));
  }
}

/** Starts the delivery at once. A database error is logged and the turn is retried. */
export function startWebhooks(options: {
  readonly db: Db;
  readonly secrets: SecretBox;
  readonly log: Pick<Logger, "warn">;
}) {
  const { db, secrets, log } = options;
  const work = prepare(db, secrets);
  const { bell, calls, givenUp } = work;
  const done = () => noteUpkeep("webhooks");
  const tryTurn = () =>
    turn(work).then(done, async (fault: unknown) => {
      log.warn({ err: fault }, "webhooks not delivered, trying again");
      await sleep(WEBHOOK_LIMITS.pollMs);
    });
  done();

  async function run(): Promise<void> {
    while (!work.isStopping) {
      bell.clear();
      await tryTurn();
      await bell.wait(WEBHOOK_LIMITS.pollMs);
    }
  }

  const running = run();
  return {
    /** Claims nothing more, waits for calls in flight and stores their answers. */
    async stop() {
      work.isStopping = true;
      bell.ring();
      await running;
      const patience = setTimeout(() => givenUp.abort(), WEBHOOK_LIMITS.stopWaitMs);
      await Promise.all(calls);
      clearTimeout(patience);
      await tryTurn();
      work.exchanger.close();
    },
  };
}
