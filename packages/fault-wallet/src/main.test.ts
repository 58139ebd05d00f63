/** The wallet that judges the product must itself be right: in its bookings and in its broken rules. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, call, pay, payoutCall, startWallet } from "@red/demo/entry-process";
import type { Entry } from "@red/demo/entry-process";
import { afterAll, beforeAll, expect, it } from "vitest";

interface Ledger {
  readonly credits: readonly { readonly trans_sn: string; readonly amount: string }[];
  readonly attempts: readonly { readonly trans_sn: string; readonly credit: string }[];
  readonly violations: readonly { readonly rule: string }[];
}

const directory = mkdtempSync(join(tmpdir(), "fault-wallet-"));
let wallet: Entry;
let count = 0;

const start = () =>
  startWallet(new URL("main.ts", import.meta.url), { LEDGER: join(directory, "l.jsonl") });
const order = () => payoutCall(`t-${(count += 1)}`);
const control = (body: object) => call(wallet.controlUrl, "POST", "/control", body);
async function ledger(): Promise<Ledger> {
  // The shape is the wallet's own, and the assertions check it.
  return (await call(wallet.controlUrl, "GET", "/ledger", null)).body as Ledger;
}
const creditsOf = async (transSn: string) =>
  (await ledger()).credits.filter((credit) => credit.trans_sn === transSn).length;

beforeAll(async () => {
  wallet = await start();
});
afterAll(async () => {
  await wallet.kill();
  rmSync(directory, { recursive: true });
});

it("books exactly what it pays, whatever it answers", async () => {
  await control({ mode: "pay_then_500" });
  const paid = order();
  expect(await pay(wallet.url, paid)).toMatchObject({ status: 500 });
  await control({ mode: "wrong_amount" });
  const unpaid = order();
  expect(await pay(wallet.url, unpaid)).toMatchObject({ body: { status: "paid", amount: "8.89" } });
  expect([await creditsOf(paid.trans_sn), await creditsOf(unpaid.trans_sn)]).toEqual([1, 0]);
  expect(await control({ mode: "explode" })).toMatchObject({ status: 400 });
  await control({ mode: "pay" });
  expect(await ask(wallet.url, paid.trans_sn)).toMatchObject({ body: { status: "paid" } });
  expect(await ask(wallet.url, unpaid.trans_sn)).toMatchObject({ status: 404 });
  expect(await pay(wallet.url, paid)).toMatchObject({ body: { status: "paid" } });
  expect(await creditsOf(paid.trans_sn)).toBe(1);
});

it("shows in its ledger a second credit after it has forgotten the first", async () => {
  const one = order();
  await pay(wallet.url, one);
  await control({ mode: "pay", forgets_after: 60 });
  await call(wallet.controlUrl, "POST", "/leap", { seconds: 61 });
  expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ status: 404 });
  expect(await pay(wallet.url, one)).toMatchObject({ body: { status: "paid" } });
  expect(await creditsOf(one.trans_sn)).toBe(2);
  await control({ mode: "pay" });
});

it("records every broken rule, and books nothing then", async () => {
  const before = (await ledger()).violations.length;
  const one = order();
  const key = { "idempotency-key": one.trans_sn };
  await call(wallet.url, "POST", "/payouts", one, { ...key, "x-signature": "00" });
  await call(wallet.url, "POST", "/payouts", one, { ...key, "x-timestamp": "1" });
  await call(wallet.url, "POST", "/payouts", one, { "idempotency-key": "other" });
  await call(wallet.url, "POST", "/payouts", { ...one, amount: "8.880" }, key);
  await call(wallet.url, "POST", "/payouts", { ...one, extra: 1 }, key);
  await call(wallet.url, "GET", "/elsewhere?trans_sn=1&amount=1.00", null);
  expect(await creditsOf(one.trans_sn)).toBe(0);
  await pay(wallet.url, one);
  expect(await pay(wallet.url, { ...one, amount: "9.99" })).toMatchObject({ status: 409 });
  const { violations } = await ledger();
  expect(violations.slice(before).map(({ rule }) => rule)).toEqual([
    "signature_invalid",
    "timestamp_out_of_range",
    "idempotency_key",
    "amount",
    "body",
    "redirect_followed",
    "trans_sn_reused",
  ]);
  expect(await creditsOf(one.trans_sn)).toBe(1);
});
