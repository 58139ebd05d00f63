/**
 * What the worker and the operators do to a payout, in every state (behaviour §6): the answers to our calls, in time
 * and after their lease, claims, leases that run out, and the operators' verbs.
 */
import { recordRoutes } from "@red/contract/record";
import { PAYOUT_SCHEDULE } from "./payout-rules.ts";
import type { WalletWord } from "./payout-rules.ts";
import { settlePayouts } from "./settle-payouts.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import type { DueCall } from "./take-due-calls.ts";
import { inTransaction } from "#platform/connection";
import { expireLeases } from "./payout-claim-sql.ts";
import type { MadeRecord } from "#test/factories";
import { callRules, payoutOf } from "#test/payout-factory";
import { expectRow } from "#test/payout-table";
import type { PayoutEvent, PayoutRow } from "#test/payout-table";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

/** The answer to a call that was claimed under the payout's fence, or under one that is lost. */
function answer(word: WalletWord, holdsLease: boolean, kind: DueCall["kind"] = "pay"): PayoutEvent {
  return async (made) => {
    const { log_id, trans_sn } = made;
    const { fence, attempts } = await payoutOf(t.db, made);
    const call = {
      trans_sn,
      player_id: "p",
      user_name: "p",
      amount: "8.88",
      turnover: 3,
      red_code: "RED_PACKET",
      rounds_id: 1,
      created_at: "",
    };
    const due = {
      log_id,
      fence: holdsLease ? fence : fence - 1,
      no: attempts,
      kind,
      calledAt: new Date(),
      isTry: false,
      call,
    };
    const heard = { due, word, duration_ms: 1, http_status: null, answer: null };
    await inTransaction(t.db, (tx) => settlePayouts(tx, [heard], PAYOUT_SCHEDULE));
    return "settled";
  };
}

async function claim(made: MadeRecord): Promise<string> {
  const { calls } = await inTransaction(t.db, (tx) => takeDueCalls(tx, 10, callRules()));
  return calls.find(({ log_id }) => log_id === made.log_id)?.kind ?? "not taken";
}

async function expire(): Promise<number> {
  return await inTransaction(t.db, (tx) => expireLeases(tx));
}

type Verb = "reissue" | "ask" | "deliver" | "close";

function verb(name: Verb): PayoutEvent {
  return async ({ log_id }) => {
    const log_ids = [log_id];
    switch (name) {
      case "close":
        return (await app.call(recordRoutes.close, { body: { log_ids, reason: "gone" } })).code;
      case "deliver":
        return (await app.call(recordRoutes.deliver, { body: { log_ids } })).code;
      case "ask":
      case "reissue":
        return (await app.call(recordRoutes[name], { body: { log_ids } })).code;
      default:
        return name satisfies never;
    }
  };
}

const W_PAID: WalletWord = { kind: "paid", wallet_ref: "W1" };
const W_REFUSED: WalletWord = { kind: "refused", reason: "account frozen" };
const NO_WORDS: readonly WalletWord[] = [
  { kind: "processing" },
  { kind: "never_seen" },
  { kind: "unclear", why: "timeout" },
  { kind: "unclear", why: "status 500" },
  { kind: "unclear", why: "wrong amount" },
];

const ROWS: readonly PayoutRow[] = [
  {
    name: "answer in time: paid",
    event: answer(W_PAID, true),
    cells: {
      queued: ["paid", "settled"],
      sending: ["paid", "settled"],
      unknown: ["paid", "settled"],
      check: ["paid", "settled"],
      refused: ["paid", "settled"],
      closed: ["paid", "settled"],
    },
    otherwise: "settled",
  },
  {
    name: "answer in time: refused",
    event: answer(W_REFUSED, true),
    cells: { sending: ["refused", "settled"] },
    otherwise: "settled",
  },
  ...NO_WORDS.flatMap((word) =>
    (["pay", "query"] as const).map((kind): PayoutRow => ({
      name: `answer in time to a ${kind}: ${word.kind} ${"why" in word ? word.why : ""}`,
      event: answer(word, true, kind),
      cells: { sending: ["unknown", "settled"] },
      otherwise: "settled",
    })),
  ),
  {
    name: "answer after its lease: paid",
    event: answer(W_PAID, false),
    cells: {
      queued: ["paid", "settled"],
      sending: ["paid", "settled"],
      unknown: ["paid", "settled"],
      check: ["paid", "settled"],
      refused: ["paid", "settled"],
      closed: ["paid", "settled"],
    },
    otherwise: "settled",
  },
  ...[W_REFUSED, ...NO_WORDS].map((word): PayoutRow => ({
    name: `answer after its lease: ${word.kind} ${"why" in word ? word.why : ""}`,
    event: answer(word, false),
    cells: {},
    otherwise: "settled",
  })),
  {
    name: "the worker looks, and it is due",
    event: claim,
    before: { isDue: true },
    cells: { queued: ["sending", "pay"], unknown: ["sending", "query"] },
    otherwise: "not taken",
  },
  { name: "the worker looks, and it is not due", event: claim, cells: {}, otherwise: "not taken" },
  {
    name: "the lease runs out",
    event: expire,
    before: { isDue: true },
    cells: { sending: ["unknown", 1] },
    otherwise: 0,
  },
  { name: "the lease holds", event: expire, cells: {}, otherwise: 0 },
  {
    name: "an operator re-issues it",
    event: verb("reissue"),
    cells: { refused: ["queued", 200] },
    otherwise: 409,
  },
  {
    name: "an operator has the wallet asked",
    event: verb("ask"),
    cells: { check: ["unknown", 200] },
    otherwise: 409,
  },
  {
    name: "an operator marks it delivered",
    event: verb("deliver"),
    cells: { waiting_delivery: ["delivered", 200] },
    otherwise: 409,
  },
  {
    name: "an operator closes it",
    event: verb("close"),
    cells: { refused: ["closed", 200], check: ["closed", 200] },
    otherwise: 409,
  },
];

it.each(ROWS)("$name", async (row) => {
  await expectRow(t.db, row);
});
