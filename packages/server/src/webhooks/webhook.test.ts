/** Tests the messages to the platform, their order, and messages that the platform does not accept (behaviour §14). */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { WEBHOOK_BODIES, webhookRoutes } from "@red/contract/webhooks/webhook";
import type { WebhookType } from "@red/contract/webhooks/webhook";
import { inTransaction } from "#platform/db/connection";
import { secretBox } from "#platform/secret-box";
import { deleteActivity, pauseActivity } from "#rounds/change-activity";
import { OPERATOR, ZONE } from "#test/activity-factory";
import { makePlayer, makePrize, makeRecords, makeRound } from "#test/factories";
import { until } from "#test/payout-factory";
import { configOf, redctl } from "#test/redctl";
import { auditsOf, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { useReceiver } from "#test/webhook-receiver";
import type { ReceivedMessage } from "#test/webhook-receiver";
import { sql } from "kysely";
import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { removeWebhook, setWebhook } from "./change-webhook.ts";
import { claimMessages, countWaiting, tidyMessages } from "./message-sql.ts";
import { signedMessage, startWebhooks, WEBHOOK_LIMITS } from "./webhook-job.ts";

const t = useTestDb();
const app = useTestApp(t);
const receiver = useReceiver();
const secrets = secretBox(Buffer.alloc(32, 1));
let url = "";

beforeEach(async () => {
  url ||= await receiver.start();
  await t.db.deleteFrom("webhook_message").execute();
  const made = await inTransaction(t.db, (tx) => setWebhook(tx, OPERATOR, secrets, url));
  Object.assign(receiver, { secret: made.secret, status: 200 });
  receiver.received.length = 0;
});

function start(): void {
  const webhooks = startWebhooks({ db: t.db, secrets, log: pino({ level: "silent" }) });
  onTestFinished(() => webhooks.stop());
}

const DOCS = readFileSync(new URL("../../../../docs/integration.md", import.meta.url), "utf8");

/** Returns the `data` of the example message in the documentation. */
function exampleOf(type: string): object {
  const [, json = ""] =
    new RegExp(`\`\`\`json webhook ${type}\\n(.*?)\`\`\``, "s").exec(DOCS) ?? [];
  return (JSON.parse(json) as ReceivedMessage).data;
}

const told = (type: string) =>
  receiver.received.filter((one) => one.type === type).map(({ data }) => data);
const list = (query = {}) => app.read(webhookRoutes.list, { query });
/** Makes all waiting messages, and the next try of a failing address, due now. */
const passPauses = () =>
  t.sql`with messages as (update webhook_message set due_at = now() where lease_until is null)
    update webhook set next_try_at = now() where failing_since is not null`;
const untilReceived = (count: number) =>
  until(`${count} messages`, async () => {
    await passPauses();
    return receiver.received.length >= count;
  });

/** Makes payouts that the wallet first refuses, and pays when they are sent again. */
async function makePayouts(count = 1) {
  const round = await makeRound(t.db);
  const player = await makePlayer(t.db);
  const made = await makeRecords(t.db, round, player, Array(count).fill({}));
  for (const change of [
    "state = 'refused', fail_reason = 'frozen'",
    "state = 'queued', fail_reason = null",
    "state = 'paid', paid_at = now()",
  ]) {
    await t.sql`update payout set ${sql.raw(change)} where rounds_id = ${round.rounds_id}`;
  }
  return { ...round, ...player, made };
}

test("payouts, stock and pauses are sent once each, signed, a payout's messages in order", async () => {
  const { rounds_id, player_id, pool_id, made } = await makePayouts();
  const prize_id = await makePrize(t.db, { pool_id, award_total: 50, award_name: "cup" });
  for (const drawn of [45, 46, 47]) {
    await t.sql`update prize set drawn = ${drawn} where id = ${prize_id}`;
  }
  for (const status of [0, 0, 1, 0] as const) {
    await inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, rounds_id, status));
  }
  await inTransaction(t.db, (tx) => deleteActivity(tx, OPERATOR, rounds_id, ZONE));
  start();
  await untilReceived(6);
  const { rounds_name } = await rowOf(t.db, "activity", { id: rounds_id });
  const payout = { ...made[0], rounds_id, player_id, award_name: "8.88 red packet" };
  const prize = {
    prize_id,
    award_name: "cup",
    pool_name: expect.any(String),
    rounds_ids: [rounds_id],
  };
  const paused = { ...exampleOf("activity.paused"), rounds_id, rounds_name };
  // The message has all fields of the documentation, and no other fields.
  expect(told("payout.failed")).toEqual([
    { ...exampleOf("payout.failed"), ...payout, reason: null },
  ]);
  expect(told("payout.succeeded")).toEqual([{ ...exampleOf("payout.succeeded"), ...payout }]);
  expect(told("prize.low_stock")).toEqual([
    { ...exampleOf("prize.low_stock"), ...prize, remaining: 4, award_total: 50 },
  ]);
  expect(told("activity.paused")).toEqual([paused, paused]);
  expect(told("activity.resumed")).toEqual([{ ...paused, rounds_status: 1 }]);
  // Every message matches its OpenAPI schema.
  for (const { id: _, ...message } of receiver.received) {
    expect(WEBHOOK_BODIES[message.type as WebhookType].parse(message)).toEqual(message);
  }
  const types = receiver.received.map(({ type }) => type);
  expect(types.indexOf("payout.failed")).toBeLessThan(types.indexOf("payout.succeeded"));
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6);
});

test("a failure has its reason, and the documentation's check takes the signature", async () => {
  const made = await makeRecords(t.db, await makeRound(t.db), await makePlayer(t.db), [{}]);
  await t.sql`update payout set state = 'refused', fail_reason = 'frozen'
    where log_id = ${made[0]?.log_id}`;
  start();
  await untilReceived(1);
  expect(told("payout.failed")).toMatchObject([{ ...made[0], state: "refused", reason: "frozen" }]);
  const [, check = ""] = /```js\n(const key = .*?)```/s.exec(DOCS) ?? [];
  const message = { message_id: "msg_1", type: "payout.failed", created_at: new Date(), data: {} };
  const { body, headers } = signedMessage({ ...message, type: "payout.failed" }, receiver.secret);
  const [timestamp, signature] = [headers["webhook-timestamp"], headers["webhook-signature"]];
  const given = { id: "msg_1", timestamp, signature, secret: receiver.secret };
  const scope = { Buffer, createHmac, timingSafeEqual, ...given };
  const isOurs = (text: string): unknown =>
    runInNewContext(`${check}; isOurs`, { ...scope, body: text });
  expect([isOurs(body), isOurs(`${body} `)]).toEqual([true, false]);
  const [, ...vector] =
    /secret `(.*?)`, id `(.*?)`, timestamp (\d+) and body `(.*?)` the\nsignature is `(.*?)`/.exec(
      DOCS,
    ) ?? [];
  const [key, id, at, text = "", shown] = vector;
  Object.assign(scope, { secret: key, id, timestamp: at, signature: shown });
  expect(isOurs(text)).toBe(true);
});

test("no message is written for a rolled-back change, or without an address", async () => {
  await expect(
    inTransaction(t.db, async (tx) => {
      await sql`update activity set rounds_status = 1 - rounds_status`.execute(tx);
      expect(await countWaiting(tx)).toBeGreaterThan(0);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  await inTransaction(t.db, (tx) => removeWebhook(tx, OPERATOR));
  await makePayouts();
  expect(await countWaiting(t.db)).toBe(0);
});

test("a message that is not taken is sent again under its id, and its followers wait", async () => {
  const { made } = await makePayouts();
  const trans_sn = made[0]?.trans_sn;
  start();
  for (const [at, status] of [302, 500, 200].entries()) {
    receiver.status = status;
    await untilReceived(at + 1);
  }
  await untilReceived(4);
  const [first, second, third, fourth] = receiver.received;
  expect([second, third]).toEqual([first, first]);
  expect([first?.type, fourth?.type]).toEqual(["payout.failed", "payout.succeeded"]);
  await until("both delivered", async () => (await countWaiting(t.db)) === 0);
  expect(await list({ trans_sn, type: "payout.failed" })).toMatchObject({
    content: [
      {
        message_id: first?.id,
        about: trans_sn,
        state: "delivered",
        attempts: 3,
        answer: "status 200",
      },
    ],
    total: 1,
    host: new URL(url).host,
    failing_since: null,
    failing_answer: null,
    next_try_at: null,
    waiting: 0,
  });
});

test("the list says what a failing address answered last, and when it is tried next", async () => {
  await makePayouts();
  const [first] = await t.db.selectFrom("webhook_message").select("id").orderBy("id").execute();
  const fail = async (address: string, message: string) => {
    await t.sql`update webhook set failing_since = now() - interval '1 hour', next_try_at = ${address},
      last_answer = 'status 500'`;
    await t.sql`update webhook_message set due_at = ${message} where id = ${first?.id}`;
    return await list();
  };
  const [near, far] = ["2099-01-01 04:00:00+08", "2099-01-01 05:00:00+08"] as const;
  const answered = { failing_answer: "status 500", next_try_at: "2099-01-01 05:00:00", waiting: 2 };
  // The second message is due, but it waits for the first message.
  expect(await fail(near, far)).toMatchObject(answered);
  expect(await fail(far, near)).toMatchObject(answered);
  await t.db.deleteFrom("webhook_message").execute();
  expect(await list()).toMatchObject({ failing_answer: "status 500", next_try_at: null });
});

test("a failing address is tried by one call at a time", async () => {
  const { made } = await makePayouts(50);
  await receiver.stop();
  const tried = async () => {
    const rows = await t.sql<{ attempts: number }>`
      select sum(attempts) as attempts from webhook_message where lease_until is null`;
    return Number(rows[0]?.attempts);
  };
  start();
  const { callsInFlight } = WEBHOOK_LIMITS;
  await until("the first calls failed", async () => (await tried()) >= callsInFlight);
  expect(await tried()).toBe(callsInFlight);
  expect(await list()).toMatchObject({ failing_answer: expect.stringMatching(/^connection /) });
  await passPauses();
  await until("one try failed", async () => (await tried()) > callsInFlight);
  expect(await tried()).toBe(callsInFlight + 1);
  expect((await redctl(() => configOf(t), "webhooks show")).out).toMatch(
    /100 messages wait, it fails since/,
  );
  await receiver.start();
  await passPauses();
  await until("all delivered", async () => (await countWaiting(t.db)) === 0);
  expect(receiver.received).toHaveLength(2 * made.length);
});

test("an operator sends messages again; old ones are given up, and later deleted", async () => {
  await makePayouts(2);
  const age = (days: number) =>
    t.sql`update webhook_message set waits_since = waits_since - make_interval(days => ${days}),
      ended_at = ended_at - make_interval(days => ${days})`;
  const tidy = () => tidyMessages(t.db, new AbortController().signal);
  const rows = await t.sql<{ id: number }>`select id from webhook_message order by id`;
  const again = async (ids: number[]) => await app.call(webhookRoutes.redeliver, { body: { ids } });
  // The third message is about the same payout as the first message, but an operator requested it.
  expect(await again(rows.slice(2, 3).map(({ id }) => id))).toMatchObject({ code: 200 });
  const due = await inTransaction(t.db, (tx) => claimMessages(tx, 10, 1));
  expect(due.map(({ id }) => ({ id }))).toEqual(rows.slice(0, 3));
  await age(3);
  expect(await tidy()).toEqual({ given_up: 4, deleted: 0 });
  expect(await again([1])).toMatchObject({ code: 404, key: "webhook_message_not_found" });
  expect(await again(rows.slice(0, 1).map(({ id }) => id))).toMatchObject({ code: 200 });
  start();
  await untilReceived(1);
  await until("delivered", async () => (await countWaiting(t.db)) === 0);
  await age(30);
  expect(await tidy()).toEqual({ given_up: 0, deleted: 4 });
});

test("redctl sets the address, shows no secret, and removes it", async () => {
  const config = configOf(t, { secretKey: Buffer.alloc(32, 1) });
  const run = async (words: string) => await redctl(() => config, words);
  expect((await run("webhooks set http://example.com/x")).err).toContain("https://");
  const { code, out } = await run(`webhooks set ${url} --json`);
  expect([code, JSON.parse(out)]).toEqual([
    0,
    { url, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
  ]);
  const shown = (await run("webhooks show --json")).out;
  expect(JSON.parse(shown)).toMatchObject({ webhook: { url }, waiting: 0 });
  expect(shown).not.toMatch(/whsec_/);
  expect((await run("webhooks remove")).code).toBe(0);
  expect((await run("webhooks remove")).code).toBe(1);
  const audited = await auditsOf(t.db, ["action"], { actor_kind: "redctl" });
  expect(audited.map(({ action }) => action)).toEqual(["set_webhook", "remove_webhook"]);
});
