import { walletRoutes } from "@red/contract/wallet";
import type { WalletHealth } from "@red/contract/wallet";
import { inTransaction } from "#platform/connection";
import { insertWallet } from "./wallet-health-sql.ts";
import { makeRecord } from "#test/factories";
import { until, noteAnswers } from "#test/payout-factory";
import type { Noted } from "#test/payout-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

async function health(): Promise<WalletHealth> {
  const { code, data } = await app.call(walletRoutes.health, {});
  expect(code).toBe(200);
  // The application checks its answers against the route.
  return data as WalletHealth;
}

async function metric(name: string): Promise<number> {
  const { body } = await app.app.inject({ method: "GET", url: "/metrics" });
  return Number(new RegExp(`^${name} (.+)$`, "m").exec(body)?.[1]);
}

const note = (...noted: Noted) => noteAnswers(t.db, ...noted);

/** The counts are cached for two seconds. */
async function untilHealth(what: string, check: (health: WalletHealth) => boolean) {
  await until(what, async () => check(await health()), 10_000);
  return await health();
}

beforeEach(async () => {
  await t.db.deleteFrom("payout").execute();
  await t.db.deleteFrom("wallet_health").execute();
  await inTransaction(t.db, (tx) => insertWallet(tx, "test"));
});

describe("the wallet's health", () => {
  it("counts unsettled payouts only", async () => {
    for (const state of ["queued", "sending", "unknown"] as const) {
      await makeRecord(t.db, { state, award_price_cents: 1_001 });
    }
    for (const state of ["paid", "refused", "closed", "check"] as const) {
      await makeRecord(t.db, { state });
    }
    await makeRecord(t.db, { award_price_cents: 0 });
    const { trouble, waiting } = await untilHealth(
      "three",
      ({ waiting: { count } }) => count === 3,
    );
    expect(waiting).toEqual({ count: 3, amount: "30.03" });
    expect(trouble).toBeNull();
    expect(await metric("redpacket_payouts_waiting")).toBe(3);
    expect(await metric("redpacket_payouts_waiting_amount")).toBe(30.03);
    expect(await metric("redpacket_wallet_in_trouble")).toBe(0);
    expect(await metric("redpacket_wallet_trouble_seconds")).toBe(0);
  });

  it("shows a trouble's start, last answer and next try", async () => {
    await makeRecord(t.db);
    await note(9, {}, 5);
    await untilHealth("one", ({ waiting, trouble }) => waiting.count === 1 && trouble === null);
    await note(1);
    const { trouble } = await untilHealth("trouble", (one) => one.trouble !== null);
    expect(trouble).toMatchObject({
      since: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      last_answer: "timeout",
    });
    expect(await metric("redpacket_wallet_in_trouble")).toBe(1);
    expect(await metric("redpacket_wallet_trouble_seconds")).toBeGreaterThan(4);
    await note(1, { retryAfterMs: 60_000 });
    await untilHealth("a next try", (one) => (one.trouble?.next_try ?? null) !== null);
    await note(1, { word: { kind: "never_seen" } });
    await untilHealth("well", (one) => one.trouble === null);
  });

  it("shows a trouble of queries alone", async () => {
    await makeRecord(t.db, { state: "unknown" });
    await note(2, { kind: "query" }, 11);
    await untilHealth("trouble", (one) => one.trouble !== null);
  });

  it("shows no trouble while nothing waits", async () => {
    await note(10, {}, 60);
    await untilHealth("nothing waits", ({ waiting }) => waiting.count === 0);
    expect((await health()).trouble).toBeNull();
  });

  it("is shown to every signed-in operator and extends no session", async () => {
    const aged = new Date(Date.now() - 30 * 60_000);
    await t.db.updateTable("session").set({ seen_at: aged }).execute();
    await health();
    const { seen_at } = await t.db
      .selectFrom("session")
      .select("seen_at")
      .executeTakeFirstOrThrow();
    expect(seen_at).toEqual(aged);
    const { url, method } = { url: walletRoutes.health.path, method: walletRoutes.health.method };
    const answer = await app.app.inject({ method, url });
    expect(answer.json()).toMatchObject({ code: 401 });
  });
});
