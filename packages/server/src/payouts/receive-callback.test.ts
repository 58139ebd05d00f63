import { recordRoutes } from "@red/contract/records/record";
import type { Method, Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import type { Scope } from "@red/contract/platform/permissions";
import { erasePlayer } from "#evidence/erase-player";
import { insertApiKey } from "#identity/api-key-sql";
import { inTransaction } from "#platform/db/connection";
import { OPERATOR } from "#test/activity-factory";
import { makeRecord } from "#test/factories";
import type { MadeRecord, RecordValues } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  startTestWorker,
  untilStates,
  payoutOf,
  setPayout,
} from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { signedHeaders } from "#test/test-callers";
import { useTestDb } from "#test/test-db";
import { describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

const PAID = { status: "paid", amount: "8.88", wallet_ref: "W1" };
const CONTRADICTION = "callback unclear: paid after a refusal";
const REFUSED = { status: "refused", amount: "8.88", reason: "account frozen" };

async function tell({ trans_sn }: MadeRecord, word: object) {
  const response = await app.open("POST", `/open/v1/payouts/${trans_sn}/result`, word);
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

/** Makes a record that was sent `sent` times. It is not due while this test's worker runs. */
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

/** Returns status and code of the responses to an API key with these scopes. */
async function answersTo(scopes: readonly Scope[], calls: readonly (readonly [Method, string])[]) {
  const key = `rk_${scopes.join("_")}`;
  const secret = "a secret of a key that may do only some of it";
  const sealed = app.services.secrets.seal(`api_key:${key}`, secret);
  await inTransaction(t.db, (tx) =>
    insertApiKey(tx, { key, name: key, secret: sealed, scopes: [...scopes] }),
  );
  const answers: string[] = [];
  for (const [method, url] of calls) {
    const payload = method === "GET" ? "" : JSON.stringify(PAID);
    const headers = signedHeaders({ token: "", key, secret }, method, url, payload);
    const answer = await app.app.inject({ method, url, headers, payload });
    answers.push(`${answer.statusCode} ${answer.json<{ code?: string }>().code ?? ""}`);
  }
  return new Set(answers);
}

/** payout-rules.test.ts tests the result for each state. */
describe("the wallet's callback", () => {
  it("is recorded with reason or reference, as an attempt, and in the audit log", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    await tell(one, { ...REFUSED, reason: " 账户冻结 " });
    expect(await payoutOf(t.db, one)).toMatchObject({ fail_reason: "账户冻结", attempts: 2 });
    expect(await attemptsOf(t.db, one.log_id)).toEqual([
      "pay unclear: timeout",
      "callback refused",
    ]);
    // The payout was sent, but its attempts have been deleted since then.
    const other = await makeSent({ state: "unknown", payout: { first_sent_at: new Date() } }, 0);
    await tell(other, PAID);
    const { answer } = await rowOf(t.db, "payout_attempt", { log_id: other.log_id });
    const { status, amount, wallet_ref } = PAID;
    const told = { status, trans_sn: other.trans_sn, amount, wallet_ref };
    expect(JSON.parse(answer ?? "")).toEqual(told);
    expect(await payoutOf(t.db, other)).toMatchObject({
      state: "paid",
      wallet_ref: "W1",
      fail_reason: null,
      attempts: 1,
      lease_until: null,
    });
    const audit = await t.db
      .selectFrom("audit_log")
      .select(["actor_kind", "action", "before", "after"])
      .where("object_id", "in", [String(one.log_id), String(other.log_id)])
      .orderBy("id")
      .execute();
    expect(audit).toEqual(
      ["refused", "paid"].map((word) => ({
        actor_kind: "key",
        action: "take_payout_word",
        before: { state: "unknown" },
        after: { state: word, word },
      })),
    );
  });

  it("changes nothing when repeated; a refusal after a payment is only recorded", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    await tell(one, PAID);
    const before = await payoutOf(t.db, one);
    expect(await tell(one, PAID)).toEqual({ status: 200, body: { payout_state: "paid" } });
    expect(await payoutOf(t.db, one)).toEqual(before);
    expect(await tell(one, REFUSED)).toEqual({ status: 200, body: { payout_state: "paid" } });
    expect(await payoutOf(t.db, one)).toEqual({ ...before, attempts: before.attempts + 1 });
    expect((await attemptsOf(t.db, one.log_id)).at(-1)).toBe("callback refused");
  });

  it("that refuses is asked about again after several sendings, or one of a re-issue", async () => {
    const requested = { payout: { requested_by: "root-op" } };
    for (const [values, sent, state] of [
      [{}, 1, "refused"],
      [{}, 2, "unknown"],
      [requested, 1, "unknown"],
    ] as const) {
      const one = await makeSent({ state: "unknown", ...values }, sent);
      await tell(one, REFUSED);
      expect(await payoutOf(t.db, one)).toMatchObject({ state });
      // Not due, so that the worker of a later test does not take this payout.
      await setPayout(t.db, one, { next_at: new Date("2100-01-01") });
    }
  });

  it("is refused for another amount, an unsent payout and a physical prize", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    const before = await payoutOf(t.db, one);
    const unsent = await makeSent({ state: "queued" }, 0);
    const physical = await makeRecord(t.db, { award_price_cents: 0 });
    for (const [made, word, status] of [
      [one, { ...PAID, amount: "8.89" }, 409],
      [one, { ...REFUSED, amount: "0.00" }, 409],
      [one, { ...PAID, status: "processing" }, 400],
      [unsent, PAID, 404],
      [unsent, REFUSED, 404],
      [physical, { ...PAID, amount: "0.00" }, 404],
      [{ ...one, trans_sn: `${one.trans_sn}0` }, PAID, 404],
    ] as const) {
      expect((await tell(made, word)).status).toBe(status);
    }
    expect(await payoutOf(t.db, one)).toEqual(before);
    expect(await payoutOf(t.db, unsent)).toMatchObject({ state: "queued", attempts: 0 });
  });

  it("is accepted only from a key with the scope wallet, which opens nothing else", async () => {
    const made = await makeSent({ state: "unknown" }, 1);
    const word = [["POST", `/open/v1/payouts/${made.trans_sn}/result`]] as const;
    const denied = new Set(["403 scope_missing"]);
    expect(await answersTo(["ingest", "draw", "read"], word)).toEqual(denied);
    expect((await payoutOf(t.db, made)).state).toBe("unknown");
    const routes: readonly Route[] = Object.values(ROUTES).flatMap((noun) => Object.values(noun));
    const others = routes.filter(({ auth }) => auth.by === "key" && auth.scope !== "wallet");
    expect(others.length).toBeGreaterThan(8);
    const calls = others.map(({ method, path }) => [method, path.replaceAll(/[{}]/g, "")] as const);
    expect(await answersTo(["wallet"], calls)).toEqual(denied);
  });

  it("waits for the payout's lock, and then sees its new state", async () => {
    const one = await makeSent({ state: "unknown" }, 1);
    const held = await hold(t.db, (tx) =>
      setPayout(tx, one, { state: "paid", paid_at: new Date() }),
    );
    const told = tell(one, REFUSED);
    await untilWaiting(t.db);
    await held.commit();
    expect((await told).body).toEqual({ payout_state: "paid" });
  });

  it("waits for an erasing of the player, and then leaves no text", async () => {
    const one = await makeSent({ state: "paid" }, 1);
    const { log_id, player_key } = await payoutOf(t.db, one);
    const { user_name } = await rowOf(t.db, "player", { player_key });
    const held = await hold(t.db, (tx) => erasePlayer(tx, OPERATOR, user_name));
    const told = tell(one, { ...REFUSED, reason: `${user_name} is frozen` });
    await untilWaiting(t.db);
    await held.commit();
    expect((await told).body).toEqual({ payout_state: "paid" });
    const attempt = { kind: "callback", outcome: "refused", answer: null };
    expect(await rowOf(t.db, "payout_attempt", { log_id, no: 2 })).toMatchObject(attempt);
  });
});

describe("paid after a refusal", () => {
  it("without a payment by the wallet: closed again, as it was", async () => {
    await wallet.control({ mode: "refuse", reason: "account frozen" });
    const made = await makeRecord(t.db);
    const { log_id } = made;
    const first = await startTestWorker(t, wallet);
    await untilStates(t.db, [made], "refused");
    await first.stop();
    await app.call(recordRoutes.close, { body: { log_ids: [log_id], reason: "gone" } });
    const before = await payoutOf(t.db, made);
    for (let time = 1; time <= 2; time += 1) {
      expect((await tell(made, PAID)).body).toEqual({ payout_state: "unknown" });
      expect((await tell(made, REFUSED)).body).toEqual({ payout_state: "unknown" });
    }
    expect(await attemptsOf(t.db, log_id)).toEqual(["pay refused", CONTRADICTION]);
    // The wallet does not respond for a simulated day, then an operator requests a new query.
    await wallet.kill();
    const vain = await startTestWorker(t, wallet, { schedule: { checkAfterMs: 1 } });
    await untilStates(t.db, [made], "check");
    await vain.stop();
    await wallet.start();
    await wallet.control({ mode: "pay" });
    await app.call(recordRoutes.ask, { body: { log_ids: [log_id] } });
    await startTestWorker(t, wallet, { schedule: { neverSeenGapMs: 100 } });
    await untilStates(t.db, [made], "closed");
    const { fail_reason, check_reason, note } = before;
    const asBefore = { fail_reason, check_reason, note, unknown_since: null };
    expect(await payoutOf(t.db, made)).toMatchObject(asBefore);
    expect((await attemptsOf(t.db, log_id)).filter((one) => one.startsWith("pay"))).toHaveLength(1);
    expect(await moneyFaults(t.db, await wallet.ledger(), [made])).toEqual([]);
  });

  it("counts when the wallet has paid after all", async () => {
    const made = await makeRecord(t.db);
    await wallet.control({ mode: "pay_then_drop", times: 1 });
    // Only the notification of the callback can wake the worker, because the poll interval is too long.
    const schedule = { askAfterMs: [], askEveryMs: 600_000 };
    await startTestWorker(t, wallet, { schedule, limits: { pollMs: 600_000 } });
    await untilStates(t.db, [made], "unknown");
    await setPayout(t.db, made, { state: "refused", fail_reason: "by hand" });
    await tell(made, PAID);
    await untilStates(t.db, [made], "paid");
    expect(await payoutOf(t.db, made)).toMatchObject({ fail_reason: null, contested_state: null });
    expect((await attemptsOf(t.db, made.log_id)).slice(1)).toEqual([CONTRADICTION, "query paid"]);
    expect(await moneyFaults(t.db, await wallet.ledger(), [made])).toEqual([]);
  });
});
