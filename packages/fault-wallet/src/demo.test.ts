/** The wallet of the demonstration; `redctl wallet-check` tests that it keeps every rule of a wallet. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, call, pay, payoutCall, startWallet } from "@red/demo/entry-process";
import type { Entry } from "@red/demo/entry-process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { outcomeOf } from "./demo-outcomes.ts";
import type { Control } from "./modes.ts";

/** A payout with the wanted outcome; another `salt` gives another number. */
function orderFor(salt: string, wanted: (outcome: Control) => boolean, amount?: string) {
  for (let index = 0; index < 1_000_000; index += 1) {
    const number = `${salt}-${index}`;
    if (wanted(outcomeOf(number, 0))) {
      return payoutCall(number, amount);
    }
  }
  throw new Error("no such number");
}

const directory = mkdtempSync(join(tmpdir(), "demo-wallet-"));
const ledger = join(directory, "wallet.jsonl");
let wallet: Entry;

const start = () =>
  startWallet(new URL("main.ts", import.meta.url), { OUTCOMES: "demo", LEDGER: ledger });

beforeAll(async () => {
  // As the wallet of earlier demonstrations wrote it.
  const order = payoutCall("former-open");
  const open = { kind: "processing", call: order, settle: "paid", reason: null, by: "query" };
  const paid = { kind: "paid", trans_sn: "former", player_id: "p1", amount: "8.88" };
  const lines = [
    { ...open, due_at: "2026-01-01T00:00:00Z" },
    { ...open, call: payoutCall("former"), due_at: "2026-01-01T00:00:00Z" },
    { ...paid, user_name: "player01", paid_at: "2026-01-01T00:00:00Z", wallet_ref: "W1" },
  ];
  writeFileSync(ledger, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  wallet = await start();
});
afterAll(async () => {
  await wallet.kill();
  rmSync(directory, { recursive: true });
});

it("has paid when it answers an error, pays a number once, and takes no control", async () => {
  const order = orderFor("error", ({ mode }) => mode === "pay_then_500");
  expect(await pay(wallet.url, order)).toMatchObject({ status: 500 });
  expect(await ask(wallet.url, order.trans_sn)).toMatchObject({ body: { status: "paid" } });
  expect(await pay(wallet.url, order)).toMatchObject({ status: 200, body: { status: "paid" } });
  expect(await ask(wallet.url, "former")).toMatchObject({ body: { wallet_ref: "W1" } });
  expect(await ask(wallet.url, "former-open")).toMatchObject({ body: { status: "paid" } });
  for (const base of [wallet.url, wallet.controlUrl]) {
    expect(await call(base, "POST", "/control", { mode: "refuse" })).toMatchObject({ status: 404 });
  }
});

it("judges a refused payout again, and refuses some for good", async () => {
  const again = orderFor(
    "again",
    ({ mode, reason }) => mode === "refuse" && reason !== "account closed",
  );
  const closed = orderFor("closed", ({ reason }) => reason === "account closed");
  expect(await pay(wallet.url, again)).toMatchObject({ body: { status: "refused" } });
  const { mode } = outcomeOf(again.trans_sn, 1);
  const status = mode === "refuse" ? "refused" : "paid";
  expect(await pay(wallet.url, again)).toMatchObject({ body: { status } });
  for (let sent = 0; sent < 2; sent += 1) {
    expect(await pay(wallet.url, closed)).toMatchObject({ body: { reason: "account closed" } });
  }
});

it("keeps what it has paid through a crash that cut its last line", async () => {
  const order = orderFor("kept", ({ mode, seconds }) => mode === "late" && seconds < 0.1, "12.34");
  const before = await pay(wallet.url, order);
  await wallet.kill();
  appendFileSync(ledger, '{"credit":{"trans_sn":"cut-by-the-cra');
  wallet = await start();
  expect(await pay(wallet.url, order)).toMatchObject({ text: before.text });
  expect(await ask(wallet.url, "cut-by-the-cra")).toMatchObject({ status: 404 });
});
