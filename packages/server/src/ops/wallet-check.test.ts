/** Tests the wallet check command against wallets that run as separate processes. */
import { appendFileSync, readFileSync } from "node:fs";
import path from "node:path";
import { readConfig } from "#platform/config";
import { startListening } from "#test/entry-process";
import { redctl as run } from "#test/redctl";
import { useFaultWallet } from "#test/fault-wallet";
import { makeFolder } from "#test/folder";
import { describe, expect, onTestFinished, test } from "vitest";

const wallet = useFaultWallet();
const KEY = "wk_check";
const SECRET = "secret-of-the-checked-wallet";

const redctl = async (words: string, environment: Readonly<Record<string, string>> = {}) =>
  await run((given) => readConfig({ ...environment, ...given }), words);

const makeLedger = () => path.join(makeFolder(), "ledger.jsonl");

interface Checked {
  readonly ok: boolean;
  readonly rules: readonly { rule: string; verdict: string; detail: string; claim: string }[];
  readonly paid: readonly { trans_sn: string; amount: string }[];
}

test.each([
  [
    "the wallet of the demonstration",
    "packages/fault-wallet/src/main.ts",
    { KEY, SECRET, OUTCOMES: "demo" },
  ],
  [
    "the adapter of docs/integration.md",
    "docs/integration/wallet-adapter.mjs",
    { WALLET_KEY: KEY, WALLET_SECRET: SECRET, REFUSED_PLAYERS: "wallet-check-refused" },
  ],
])("%s keeps the rules and passes", async (_, file, environment) => {
  const ledger = makeLedger();
  const { url, stop } = await startListening(file, { LEDGER: ledger, ...environment });
  onTestFinished(() => stop());
  const words = `wallet-check ${url} --refused-player wallet-check-refused --yes --json`;
  const { code, out, err } = await redctl(words, { WALLET_KEY: KEY, WALLET_SECRET: SECRET });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const { ok, rules, paid } = JSON.parse(out) as Checked;
  expect(ok).toBe(true);
  expect(rules).toHaveLength(17);
  expect(rules.filter(({ verdict }) => verdict !== "kept")).toEqual([]);
  expect(paid.map(({ amount }) => amount)).toEqual(["0.10", "0.01", "0.01", "0.01"]);
  const lines = readFileSync(ledger, "utf8").split("\n");
  for (const { trans_sn } of paid) {
    const credits = lines.filter((line) => line.includes(trans_sn) && line.includes('"paid_at"'));
    expect(credits).toHaveLength(1);
  }
});

test("the adapter keeps its credits through a crash, and is not stopped by half a line", async () => {
  const ledger = makeLedger();
  const environment = {
    LEDGER: ledger,
    WALLET_KEY: KEY,
    WALLET_SECRET: SECRET,
    REFUSED_PLAYERS: "frozen-1",
  };
  const file = "docs/integration/wallet-adapter.mjs";
  const check = async (url: string) =>
    await redctl(
      `wallet-check ${url} --key ${KEY} --secret ${SECRET} --refused-player frozen-1 --yes`,
    );
  const first = await startListening(file, environment);
  expect((await check(first.url)).code).toBe(0);
  await first.stop();
  const written = readFileSync(ledger, "utf8");
  appendFileSync(ledger, '{"trans_sn":"cut-by-the-cra');
  const second = await startListening(file, environment);
  onTestFinished(() => second.stop());
  expect((await check(second.url)).code).toBe(0);
  const lines = readFileSync(ledger, "utf8").split("\n").filter(Boolean);
  expect(readFileSync(ledger, "utf8").startsWith(written)).toBe(true);
  const numbers = lines.map((line) => (JSON.parse(line) as { trans_sn: string }).trans_sn);
  expect(new Set(numbers).size).toBe(8);
});

describe("the command", () => {
  async function check(words: string) {
    const { url, key, secret } = wallet.access;
    const environment = { WALLET_KEY: key, WALLET_SECRET: secret };
    return { url, ...(await redctl(`wallet-check ${url} ${words}`.trim(), environment)) };
  }

  test("pays nothing without --yes, and says what it would do", async () => {
    const { url, code, out } = await check("");
    expect(code).toBe(1);
    expect(out).toContain(
      `${url} is asked to pay 3 times, 0.10 + 0.01 + 0.01, to player wallet-check`,
    );
    expect(out).toContain("Nothing was sent. To go ahead, add --yes.");
    expect((await wallet.ledger()).attempts).toEqual([]);
  });

  test("names the rules that are broken, in words and with what was seen, and exits 1", async () => {
    await wallet.control({ mode: "pay_then_wrong_amount", on: "both" });
    const { code, out } = await check("--player p-7 --yes");
    expect(code).toBe(1);
    expect(out).toMatch(
      /^BROKEN {3}amount +.*decimal text that was sent: "0.11" instead of "0.10"$/m,
    );
    expect(out).toMatch(/^OPEN {5}refusal +.*no player was named.*add --refused-player$/m);
    expect(out).toMatch(/^paid {5}0\.10 as check-[0-9a-f]{26}$/m);
    expect(out).toMatch(/\nthe wallet breaks \d rule\(s\): amount/);
  });

  test("a rule that could not be checked is no success", async () => {
    await wallet.control({ mode: "refuse" });
    const { code, out } = await check("--yes");
    expect(code).toBe(1);
    expect(out).toMatch(/^OPEN {5}idempotent .*name one whom the wallet pays$/m);
    expect(out).toMatch(/7 rule\(s\) could not be checked: nonce, idempotent/);
  });

  test.each([
    ["wallet-check", 2, "--url is missing"],
    ["wallet-check http://wallet.example --key k --secret s", 1, "WALLET_URL is not usable"],
    ["wallet-check https://wallet.example", 1, "WALLET_KEY is missing"],
    ["wallet-check http://127.0.0.1:1 --key k --secret s --wait soon --yes", 1, '--wait is "soon"'],
    ["wallet-check http://127.0.0.1:1 --key k --secret s --yes", 1, "cannot be reached"],
  ])("%s: exit code %i, %s", async (words, expected, reason) => {
    const { code, err } = await redctl(words);
    expect(code).toBe(expected);
    expect(err).toContain(reason);
  });
});
