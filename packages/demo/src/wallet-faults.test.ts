import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, call, CREDENTIALS, pay, payoutCall, startWallet } from "./entry-process.ts";
import type { Entry, Heard } from "./entry-process.ts";
import { MODES } from "./faults-modes.ts";
import type { ModeName } from "./faults-modes.ts";
import { sign } from "./signing.ts";

interface Ledger {
  readonly credits: readonly { readonly trans_sn: string; readonly amount: string }[];
  readonly attempts: readonly { readonly trans_sn: string; readonly credit: string }[];
  readonly violations: readonly { readonly rule: string }[];
}

describe("test wallet", () => {
  const directory = mkdtempSync(join(tmpdir(), "faults-wallet-"));
  let wallet: Entry;
  let count = 0;

  const start = () => startWallet("wallet-faults.ts", { LEDGER: join(directory, "l.jsonl") });
  const order = () => payoutCall(`t-${(count += 1)}`);
  const control = (body: object) => call(wallet.controlUrl, "POST", "/control", body);
  async function ledger(): Promise<Ledger> {
    // The shape is the wallet's own, and the assertions look at it.
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

  /** What the caller sees of each way of going wrong; "silence" is no answer at all. */
  const SEEN: Record<ModeName, (heard: Heard | "silence", transSn: string) => void> = {
    pay: (heard) => expect(heard).toMatchObject({ status: 200, body: { status: "paid" } }),
    refuse: (heard) =>
      expect(heard).toMatchObject({ status: 200, body: { status: "refused", reason: "no" } }),
    processing: (heard) => expect(heard).toMatchObject({ body: { status: "processing" } }),
    hang: (heard) => expect(heard).toBe("silence"),
    pay_then_hang: (heard) => expect(heard).toBe("silence"),
    late: (heard) => expect(heard).toMatchObject({ body: { status: "paid" } }),
    error_500: (heard) => expect(heard).toMatchObject({ status: 500 }),
    pay_then_500: (heard) => expect(heard).toMatchObject({ status: 500 }),
    html_200: (heard) => expect(heard).toMatchObject({ status: 200, body: null }),
    pay_then_html: (heard) => expect(heard).toMatchObject({ status: 200, body: null }),
    wrong_trans_sn: (heard) => expect(heard).toMatchObject({ body: { trans_sn: "another" } }),
    pay_then_wrong_trans_sn: (heard) =>
      expect(heard).toMatchObject({ body: { status: "paid", trans_sn: "another" } }),
    wrong_amount: (heard, trans_sn) =>
      expect(heard).toMatchObject({ body: { status: "paid", trans_sn, amount: "8.89" } }),
    pay_then_wrong_amount: (heard, trans_sn) =>
      expect(heard).toMatchObject({ body: { status: "paid", trans_sn, amount: "8.89" } }),
    drop: (heard) => expect(heard).toBe("silence"),
    pay_then_drop: (heard) => expect(heard).toBe("silence"),
    redirect: (heard) => expect(heard).toMatchObject({ status: 302 }),
    pay_then_redirect: (heard) => expect(heard).toMatchObject({ status: 302 }),
    slow_body: (heard) => expect(heard).toBe("silence"),
    pay_then_slow_body: (heard) => expect(heard).toBe("silence"),
    truncated_json: (heard) => expect(heard).toMatchObject({ status: 200, body: null }),
    pay_then_truncated_json: (heard) => expect(heard).toMatchObject({ status: 200, body: null }),
    empty_body: (heard) => expect(heard).toMatchObject({ status: 200, text: "" }),
    pay_then_empty_body: (heard) => expect(heard).toMatchObject({ status: 200, text: "" }),
    rate_limited: (heard) => expect(heard).toMatchObject({ status: 429 }),
    business_error: (heard) => expect(heard).toMatchObject({ body: { msg: "system busy" } }),
    not_found_for: (heard) => expect(heard).toBe("silence"),
    pay_then_business_error: (heard) =>
      expect(heard).toMatchObject({ status: 200, body: { msg: "system busy" } }),
    answer_twice: (heard) => expect(heard).toMatchObject({ body: { status: "paid" } }),
    endless_body: (heard) => expect(heard).toBe("silence"),
    pay_then_endless_body: (heard) => expect(heard).toBe("silence"),
    claims_duplicate: (heard) => expect(heard).toMatchObject({ status: 409 }),
    skewed_clock: (heard) => expect(heard).toMatchObject({ status: 401 }),
    pay_later: (heard) => expect(heard).toMatchObject({ body: { status: "paid" } }),
    blackhole: (heard) => expect(heard).toBe("silence"),
  };
  // Object.keys widens to string; the table above names every mode and no other.
  const NAMES = Object.keys(SEEN) as ModeName[];

  const NEVER_ENDING: ReadonlySet<string> = new Set<ModeName>([
    "hang",
    "pay_then_hang",
    "slow_body",
    "pay_then_slow_body",
    "endless_body",
    "pay_then_endless_body",
    "blackhole",
  ]);

  it("goes wrong as each mode is named, and is well afterwards", { timeout: 60_000 }, async () => {
    for (const mode of NAMES) {
      await control({ mode, reason: "no", seconds: 0.3, by: "query" });
      const one = order();
      const patience = NEVER_ENDING.has(mode) ? 500 : 10_000;
      const heard = await pay(wallet.url, one, patience).catch(() => "silence" as const);
      SEEN[mode](heard, one.trans_sn);
      // The second answer has to meet an idle connection, or the next call would take it for its own.
      await sleep(mode === "answer_twice" ? 100 : 0);
      expect([mode, await creditsOf(one.trans_sn)]).toEqual([mode, MODES[mode].pays ? 1 : 0]);
      await control({ mode: "pay" });
      await sleep(mode === "processing" || mode === "not_found_for" ? 310 : 0);
      const after = await ask(wallet.url, one.trans_sn);
      const paidByNow = MODES[mode].pays || mode === "processing";
      expect([mode, after.status]).toEqual([mode, paidByNow ? 200 : 404]);
      expect(await pay(wallet.url, one)).toMatchObject({ body: { status: "paid" } });
      expect(await creditsOf(one.trans_sn)).toBe(1);
    }
    expect((await ledger()).violations).toEqual([]);
  });

  it("claims never to have paid for as long as it is told", async () => {
    await control({ mode: "not_found_for", seconds: 1, times: 1 });
    const one = order();
    await pay(wallet.url, one).catch(() => null);
    expect(await creditsOf(one.trans_sn)).toBe(1);
    expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ status: 404 });
    await sleep(1_050);
    expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ body: { status: "paid" } });
  });

  it("answers once more when nobody asks any more", async () => {
    await control({ mode: "answer_twice" });
    const order = JSON.stringify(payoutCall("t-twice"));
    const signed = sign({ method: "POST", path: "/payouts", body: order }, CREDENTIALS);
    const head = {
      ...signed,
      "idempotency-key": "t-twice",
      "content-length": String(order.length),
    };
    const socket = connect(Number(new URL(wallet.url).port), "127.0.0.1");
    const heard: string[] = [];
    socket.on("data", (bytes: Buffer) => heard.push(bytes.toString("utf8")));
    const lines = Object.entries({ host: "wallet", ...head }).map(
      ([name, text]) => `${name}: ${text}`,
    );
    socket.write(["POST /payouts HTTP/1.1", ...lines, "", order].join("\r\n"));
    await sleep(500);
    socket.destroy();
    expect(heard.join("").match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(await creditsOf("t-twice")).toBe(1);
    await control({ mode: "pay" });
  });

  it("forgets after a time what it has credited, and books it twice then", async () => {
    const one = order();
    await pay(wallet.url, one);
    await control({ mode: "pay", forgets_after: 0.5 });
    await sleep(510);
    expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ status: 404 });
    expect(await pay(wallet.url, one)).toMatchObject({ body: { status: "paid" } });
    expect(await creditsOf(one.trans_sn)).toBe(2);
    await control({ mode: "pay" });
  });

  it("goes wrong so often about each payout, whatever it does about others", async () => {
    await control({ mode: "error_500", on: "both", first: 2 });
    const [one, other] = [order(), order()];
    const statuses: number[] = [];
    for (const each of [one, other, one, other, one, other]) {
      statuses.push((await pay(wallet.url, each)).status);
    }
    expect(statuses).toEqual([500, 500, 500, 500, 200, 200]);
    expect((await call(wallet.controlUrl, "GET", "/control", null)).body).toMatchObject({ met: 2 });
    await control({ mode: "pay" });
  });

  it("goes wrong by dice, which fall alike for a seed", async () => {
    const fall = async (seed: number) => {
      await control({ mode: "error_500", odds: 0.5, seed });
      const statuses: number[] = [];
      for (let index = 0; index < 40; index += 1) {
        statuses.push((await pay(wallet.url, order())).status);
      }
      return statuses;
    };
    const first = await fall(7);
    expect(await fall(7)).toEqual(first);
    expect(await fall(8)).not.toEqual(first);
    expect(first.filter((status) => status === 500).length).toBeGreaterThan(10);
    expect(first.filter((status) => status === 500).length).toBeLessThan(30);
    await control({ mode: "pay" });
  });

  it("has a clock that leaps", async () => {
    await control({ mode: "processing", seconds: 3_600, by: "query" });
    const one = order();
    expect(await pay(wallet.url, one)).toMatchObject({ body: { status: "processing" } });
    await control({ mode: "pay_later", seconds: 600 });
    const other = order();
    const late = pay(wallet.url, other);
    const met = async () =>
      (await call(wallet.controlUrl, "GET", "/control", null)).text.includes('"met":1');
    while (!(await met())) {
      await sleep(10);
    }
    expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ body: { status: "processing" } });
    await call(wallet.controlUrl, "POST", "/leap", { seconds: 3_600 });
    expect(await late).toMatchObject({ body: { status: "paid" } });
    expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ body: { status: "paid" } });
    await control({ mode: "pay" });
  });

  it("goes wrong on every n-th call, on so many, on pay, query or both", async () => {
    await control({ mode: "error_500", every: 3, times: 2 });
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      statuses.push((await pay(wallet.url, order())).status);
    }
    expect(statuses.map((status) => (status === 500 ? "x" : ".")).join("")).toBe("..x..x......");
    await control({ mode: "error_500", on: "query" });
    const one = order();
    expect(await pay(wallet.url, one)).toMatchObject({ status: 200 });
    expect(await ask(wallet.url, one.trans_sn)).toMatchObject({ status: 500 });
    await control({ mode: "error_500", on: "both" });
    expect(await pay(wallet.url, one)).toMatchObject({ status: 500 });
    expect(await control({ mode: "explode" })).toMatchObject({
      status: 400,
      body: { wrong: "mode" },
    });
    await control({ mode: "pay" });
  });

  it("notes every broken rule, and books nothing then", async () => {
    const broken = async () => (await ledger()).violations.map((violation) => violation.rule);
    const before = (await broken()).length;
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
    expect((await broken()).slice(before)).toEqual([
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

  it("books one credit for the same call twice at once", async () => {
    const one = order();
    const heard = await Promise.all(Array.from({ length: 16 }, () => pay(wallet.url, one)));
    expect(new Set(heard.map((answer) => answer.text)).size).toBe(1);
    const { attempts } = await ledger();
    const mine = attempts.filter((attempt) => attempt.trans_sn === one.trans_sn);
    expect(mine.map((attempt) => attempt.credit).filter((credit) => credit === "new")).toHaveLength(
      1,
    );
  });

  it("remembers credits, calls and broken rules through a crash", async () => {
    const before = await ledger();
    await wallet.kill();
    wallet = await start();
    expect(await ledger()).toEqual(before);
    const { credits, attempts, violations } = before;
    const cents = credits.reduce((sum, { amount }) => sum + Number(amount.replace(".", "")), 0);
    expect((await call(wallet.url, "GET", "/credits", null)).body).toEqual({
      count: credits.length,
      amount: (cents / 100).toFixed(2),
      attempts: attempts.length,
      violations: violations.length,
    });
  });
});

describe("test wallet behind TLS", () => {
  it("shows a good certificate, an expired one, or one of another host", async () => {
    const directory = mkdtempSync(join(tmpdir(), "faults-tls-"));
    const ledger = join(directory, "l.jsonl");
    const wallet = await startWallet("wallet-faults.ts", { LEDGER: ledger, TLS: "on" });
    const { body } = await call(wallet.controlUrl, "GET", "/authority", null);
    const { pem } = body as { readonly pem: string };
    const port = Number(new URL(wallet.url).port);
    const met = () =>
      new Promise<string>((resolve) => {
        const socket = connectTls({ port, host: "127.0.0.1", ca: pem });
        socket.on("secureConnect", () => resolve("trusted"));
        socket.on("error", (fault: NodeJS.ErrnoException) => resolve(fault.code ?? "failed"));
      });
    const seen: string[] = [];
    for (const certificate of ["good", "expired", "other_host", "good"]) {
      await call(wallet.controlUrl, "POST", "/control", { mode: "pay", certificate });
      seen.push(await met());
    }
    expect(seen).toEqual([
      "trusted",
      "CERT_HAS_EXPIRED",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "trusted",
    ]);
    await wallet.kill();
    rmSync(directory, { recursive: true });
  });
});
