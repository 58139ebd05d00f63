import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CREDENTIALS, ask, pay, payoutCall, startSystem, startWallet } from "./entry-process.ts";
import type { Entry } from "./entry-process.ts";
import { outcomeOf } from "./wallet-outcomes.ts";
import type { Outcome } from "./wallet-outcomes.ts";

/** A number with the wanted outcome; another `salt` gives another number. */
function numberFor(salt: string, wanted: (outcome: Outcome) => boolean): string {
  for (let index = 0; index < 1_000_000; index += 1) {
    const number = `${salt}-${index}`;
    if (wanted(outcomeOf(number, 0))) {
      return number;
    }
  }
  throw new Error("no such number");
}

const atOnce = (outcome: Outcome) => outcome.kind === "pay" && outcome.answerAfterMs < 100;

/** `redctl wallet-check` tests that it keeps every rule of a wallet. */
describe("demo wallet", () => {
  const directory = mkdtempSync(join(tmpdir(), "demo-wallet-"));
  const ledger = join(directory, "deeper", "wallet.jsonl");
  let wallet: Entry;
  let listener: Awaited<ReturnType<typeof startSystem>>;

  const start = () =>
    startWallet(new URL("wallet.ts", import.meta.url), {
      LEDGER: ledger,
      CALLBACK_URL: listener.url,
      CALLBACK_KEY: CREDENTIALS.key,
      CALLBACK_SECRET: CREDENTIALS.secret,
    });

  beforeAll(async () => {
    // The first callback meets an outage: the wallet must send it again.
    let left = 1;
    listener = await startSystem(() => ({ status: (left -= 1) < 0 ? 200 : 503, body: {} }));
    wallet = await start();
  });
  afterAll(async () => {
    await wallet.kill();
    listener.server.close();
    rmSync(directory, { recursive: true });
  });

  it("has paid when it answers an error", async () => {
    const order = payoutCall(numberFor("error", (outcome) => outcome.kind === "pay_then_500"));
    expect(await pay(wallet.url, order)).toMatchObject({ status: 500 });
    expect(await ask(wallet.url, order.trans_sn)).toMatchObject({ body: { status: "paid" } });
    expect(await pay(wallet.url, order)).toMatchObject({ status: 200, body: { status: "paid" } });
  });

  it("keeps paid and processing payouts through a crash", async () => {
    const soon = (settle: string) => (outcome: Outcome) =>
      outcome.kind === "processing" &&
      outcome.by === "callback" &&
      outcome.settle === settle &&
      outcome.dueAfterMs < 4_000;
    const paid = payoutCall(numberFor("kept", atOnce), "12.34");
    const processed = payoutCall(numberFor("processed", soon("paid")));
    const refused = payoutCall(numberFor("refused", soon("refused")));
    const before = await pay(wallet.url, paid);
    for (const order of [processed, refused]) {
      expect(await pay(wallet.url, order)).toMatchObject({ body: { status: "processing" } });
      expect(await pay(wallet.url, order)).toMatchObject({ body: { status: "processing" } });
    }
    await wallet.kill();
    appendFileSync(ledger, '{"kind":"paid","trans_sn":"cut-by-the-cra');
    wallet = await start();
    expect(await pay(wallet.url, paid)).toMatchObject({ text: before.text });
    expect(await ask(wallet.url, "cut-by-the-cra")).toMatchObject({ status: 404 });

    const wordOn = (order: { trans_sn: string }) =>
      listener.told.filter((one) => one.path === `/open/v1/payouts/${order.trans_sn}/result`);
    for (let waited = 0; waited < 80 && listener.told.length < 3; waited += 1) {
      await sleep(100);
    }
    expect(listener.told.map((one) => one.fault)).toEqual([null, null, null]);
    expect(wordOn(processed).at(-1)?.body).toMatchObject({ status: "paid", amount: "8.88" });
    expect(wordOn(refused).at(-1)?.body).toMatchObject({
      status: "refused",
      amount: "8.88",
      reason: "account frozen",
    });
    expect(await ask(wallet.url, processed.trans_sn)).toMatchObject({ body: { status: "paid" } });
    expect(await ask(wallet.url, refused.trans_sn)).toMatchObject({ status: 404 });
  });

  it("ends with its parent", async () => {
    wallet.child.stdin?.end();
    const [code]: unknown[] = await once(wallet.child, "exit");
    expect(code).toBe(0);
  });
});
