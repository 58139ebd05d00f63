import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { insertApiKey } from "#db/api-key";
import { inTransaction } from "#db/connection";
import { makeRecord, makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadeRecord, RecordValues } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  startTestWorker,
  statesOf,
  untilStates,
  payoutOf,
} from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

const PAID = { status: "paid", amount: "8.88", wallet_ref: "W1" };
const REFUSED = { status: "refused", amount: "8.88", reason: "account frozen" };

async function tell({ trans_sn }: MadeRecord, word: object) {
  const response = await app.open("POST", `/open/v1/payouts/${trans_sn}/result`, word);
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

/** A record that was sent so often; what becomes due is not in the way of the worker's test. */
async function makeSent(values: RecordValues, sent: number): Promise<MadeRecord> {
  const next_at = new Date("2100-01-01");
  const payout = { attempts: sent, next_at, ...values.payout };
  const made = await makeRecord(t.db, { ...values, payout });
  for (let no = 1; no <= sent; no += 1) {
    const attempt = { log_id: made.log_id, no, kind: "pay", outcome: "unclear: timeout" } as const;
    await t.db.insertInto("payout_attempt").values(attempt).execute();
  }
  return made;
}

/** In which state what becomes of it: payout-word-table.test.ts. */
describe("the wallet's later word", () => {
  it("is written down with reason or reference, as an attempt, and in the audit log", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    await tell(one, { ...REFUSED, reason: " 账户冻结 " });
    expect(await payoutOf(t.db, one)).toMatchObject({ fail_reason: "账户冻结", attempts: 2 });
    expect(await attemptsOf(t.db, one.log_id)).toEqual([
      "pay unclear: timeout",
      "callback refused",
    ]);
    await tell(one, PAID);
    expect(await payoutOf(t.db, one)).toMatchObject({
      state: "paid",
      wallet_ref: "W1",
      fail_reason: null,
      attempts: 3,
      lease_until: null,
    });
    const audit = await t.db
      .selectFrom("audit_log")
      .select(["actor_kind", "action", "before", "after"])
      .where("object_id", "=", String(one.log_id))
      .orderBy("id")
      .execute();
    expect(audit).toEqual([
      {
        actor_kind: "key",
        action: "take_payout_word",
        before: { state: "unknown" },
        after: { state: "refused", word: "refused" },
      },
      {
        actor_kind: "key",
        action: "take_payout_word",
        before: { state: "refused" },
        after: { state: "paid", word: "paid" },
      },
    ]);
  });

  it("said again changes nothing; a refusal after a payment is only noted", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    await tell(one, PAID);
    const before = await payoutOf(t.db, one);
    expect(await tell(one, PAID)).toEqual({ status: 200, body: { payout_state: "paid" } });
    expect(await payoutOf(t.db, one)).toEqual(before);
    expect(await tell(one, REFUSED)).toEqual({ status: 200, body: { payout_state: "paid" } });
    expect(await payoutOf(t.db, one)).toEqual({ ...before, attempts: before.attempts + 1 });
    expect((await attemptsOf(t.db, one.log_id)).at(-1)).toBe("callback refused");
  });

  it("about several sendings is no proof of a refusal: the wallet is asked at once", async () => {
    const one = await makeSent({ state: "unknown" }, 2);
    expect((await tell(one, REFUSED)).body).toEqual({ payout_state: "unknown" });
    const { next_at, fail_reason } = await payoutOf(t.db, one);
    expect(next_at.getTime()).toBeLessThan(Date.now() + 1_000);
    expect(fail_reason).toBeNull();
    const check = await makeSent({ state: "check" }, 2);
    expect((await tell(check, REFUSED)).body).toEqual({ payout_state: "unknown" });
    const sending = await makeSent({ state: "sending" }, 2);
    expect((await tell(sending, REFUSED)).body).toEqual({ payout_state: "sending" });
  });

  it("does not undo a re-issue that is not sent yet", async () => {
    const one = await makeSent({ payout: { requested_by: "root-op" } }, 1);
    expect((await tell(one, REFUSED)).body).toEqual({ payout_state: "queued" });
    expect(await payoutOf(t.db, one)).toMatchObject({ requested_by: "root-op" });
    expect((await tell(one, PAID)).body).toEqual({ payout_state: "paid" });
  });

  it("about another amount, or about nothing that a wallet pays, is refused", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    const code = async (made: MadeRecord, word: object) => {
      const { status, body } = await tell(made, word);
      return [status, body["code"]];
    };
    expect(await code(one, { ...PAID, amount: "8.89" })).toEqual([409, "payout_result_mismatch"]);
    expect(await code(one, { ...REFUSED, amount: "0.00" })).toEqual([
      409,
      "payout_result_mismatch",
    ]);
    expect(await code(one, { ...PAID, status: "processing" })).toEqual([400, "bad_input"]);
    expect(await code(one, { ...REFUSED, reason: "no\u0000" })).toEqual([400, "bad_input"]);
    const nobody = { log_id: 0, trans_sn: "no-such-number" };
    expect(await code(nobody, PAID)).toEqual([404, "payout_not_found"]);
    const physical = await makeRecord(t.db, { award_price_cents: 0 });
    expect(await code(physical, { ...PAID, amount: "0.00" })).toEqual([404, "payout_not_found"]);
    expect(await statesOf(t.db, [one, physical])).toEqual(["unknown", "waiting_delivery"]);
  });

  it("waits for whoever holds the payout, and then sees what they made of it", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    const held = await hold(t.db, (tx) =>
      tx
        .updateTable("payout")
        .set({ state: "paid", paid_at: new Date() })
        .where("log_id", "=", one.log_id)
        .execute(),
    );
    const told = tell(one, REFUSED);
    await untilWaiting(t.db);
    await held.commit();
    expect((await told).body).toEqual({ payout_state: "paid" });
  });
});

describe("a wallet that processes and calls back", () => {
  it.each(["paid", "refused"] as const)("ends %s, also when it says so twice", async (settle) => {
    await app.app.listen({ port: 0, host: "127.0.0.1" }).catch(() => {});
    const key = `rk_${settle}`;
    const secret = randomBytes(16).toString("hex");
    const sealed = app.services.secrets.seal(`api_key:${key}`, secret);
    await inTransaction(t.db, (tx) =>
      insertApiKey(tx, { key, name: "wallet", secret: sealed, scopes: ["draw"] }),
    );
    // The application is listening: its address has a port.
    const { port } = app.app.server.address() as AddressInfo;
    await wallet.kill();
    await wallet.start({ url: `http://127.0.0.1:${port}`, key, secret });
    await wallet.control({ mode: "processing", seconds: 0.3, settle, callbacks: 2 });
    const round = await makeRound(t.db);
    const made = await makeRecords(t.db, round, await makePlayer(t.db), Array(10).fill({}));
    await startTestWorker(t, wallet, { schedule: { askAfterMs: [], askEveryMs: 60_000 } });
    await untilStates(t.db, made, settle);
    expect((await attemptsOf(t.db, made[0]?.log_id ?? 0)).slice(0, 2)).toEqual([
      "pay processing",
      `callback ${settle}`,
    ]);
    expect(await moneyFaults(t.db, await wallet.ledger(), made)).toEqual([]);
  });
});
