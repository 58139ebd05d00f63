/** Every planted fault must be reported, and nothing else; every good wallet must pass. */
import { examineWallet } from "./examine.ts";
import type { WalletCheckOptions } from "./examination.ts";
import { WALLET_RULES } from "./findings.ts";
import type { RuleFinding, Verdict, WalletRule } from "./findings.ts";
import { FAULTS, REFUSED_PLAYER } from "./planted-answers.ts";
import type { Fault } from "./planted-answers.ts";
import { usePlantedWallets } from "./planted-wallet.ts";
import { describe, expect, test } from "vitest";

const wallets = usePlantedWallets();

const OPTIONS: WalletCheckOptions = {
  player_id: "wallet-check",
  user_name: "验收账号",
  refused_player: REFUSED_PLAYER,
  red_code: "RED_PACKET",
  timeZone: "Asia/Shanghai",
  waitMs: 3_000,
  // Long enough for every answer on a busy machine.
  deadlineMs: 20_000,
};

/** For wallets that answer too late. */
const SHORT_DEADLINE_MS = 1_000;

async function examine(fault: Fault, changes: Partial<WalletCheckOptions> = {}) {
  const { access, credits } = wallets.plant(fault);
  const deadlineMs = fault.includes("too late") ? SHORT_DEADLINE_MS : OPTIONS.deadlineMs;
  const { findings, paid } = await examineWallet(access, { ...OPTIONS, deadlineMs, ...changes });
  return { findings, paid, credits };
}

function named(findings: readonly RuleFinding[], verdict: Verdict): WalletRule[] {
  return findings.filter((one) => one.verdict === verdict).map(({ rule }) => rule);
}

describe("a faulty wallet", () => {
  test.each(FAULTS.map(([fault, ...rules]) => ({ fault, rules })))(
    "$fault",
    async ({ fault, rules }) => {
      const { findings, credits } = await examine(fault);
      expect(named(findings, "broken")).toEqual(rules);
      for (const { verdict, detail } of findings) {
        expect(detail === "").toBe(verdict === "kept");
      }
      // The announced bound holds for the worst wallet too.
      const cents = credits.map(({ amount }) => Math.round(Number(amount) * 100));
      expect(cents.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(100);
    },
  );

  test("exists for every rule", () => {
    const planted = new Set<string>(FAULTS.flatMap(([, ...rules]) => rules));
    expect([...planted].toSorted()).toEqual(Object.keys(WALLET_RULES).toSorted());
  });
});

describe("a good wallet", () => {
  test.each<{ fault: Fault; skipped: WalletRule[] }>([
    { fault: "none", skipped: [] },
    { fault: "processes first", skipped: [] },
    { fault: "no wallet_ref", skipped: [] },
    { fault: "no statement", skipped: ["statement"] },
    {
      fault: "no wallet_ref, no statement",
      skipped: ["idempotent", "parallel", "changed_amount", "statement"],
    },
  ])("$fault: nothing is broken, nothing stays open", async ({ fault, skipped }) => {
    const { findings, paid, credits } = await examine(fault);
    expect(named(findings, "broken")).toEqual([]);
    expect(named(findings, "unchecked")).toEqual([]);
    expect(named(findings, "skipped")).toEqual(skipped);
    expect(paid.map(({ call }) => call.amount)).toEqual(["0.10", "0.01", "0.01", "0.01"]);
    expect(credits.map(({ trans_sn }) => trans_sn)).toEqual(paid.map(({ call }) => call.trans_sn));
  });

  test("without a player to refuse, that rule is skipped", async () => {
    const { findings, paid } = await examine("none", { refused_player: null });
    expect(named(findings, "unchecked")).toEqual(["refusal"]);
    expect(paid).toHaveLength(3);
  });
});

describe("a rule that cannot be checked is not reported as kept", () => {
  const RESTING: readonly WalletRule[] = [
    "nonce",
    "idempotent",
    "remembered",
    "parallel",
    "changed_amount",
    "statement",
    "refusal",
  ];

  test.each<[Fault, RegExp]>([
    ["refuses everybody", /player wallet-check is refused \(no such player\)/],
    ["processes for ever", /still being processed after 1 s/],
  ])("%s", async (fault, reason) => {
    const { findings } = await examine(fault, { waitMs: 1_000 });
    expect(named(findings, "broken")).toEqual([]);
    expect(named(findings, "unchecked")).toEqual(RESTING);
    expect(findings.find(({ rule }) => rule === "idempotent")?.detail).toMatch(reason);
  });

  test("a wallet that is only slow breaks no other rule, and costs one wait", async () => {
    const begun = performance.now();
    const { findings, credits } = await examine("answers everything too late");
    expect(named(findings, "broken")).toEqual(["in_time"]);
    expect(named(findings, "unchecked")).toHaveLength(findings.length - 1);
    // The check waits for one call, not for one per rule.
    expect(performance.now() - begun).toBeLessThan(0.7 * findings.length * SHORT_DEADLINE_MS);
    expect(credits).toEqual([]);
  });

  test("a player who is paid instead of refused", async () => {
    const { findings } = await examine("none", { refused_player: "not-frozen" });
    expect(named(findings, "unchecked")).toEqual(["refusal"]);
  });

  test("no server, and a wrong secret", async () => {
    const nowhere = { url: "http://127.0.0.1:1", key: "k", secret: "s" };
    await expect(examineWallet(nowhere, OPTIONS)).rejects.toThrow(
      /cannot be reached.*ECONNREFUSED/,
    );
    const { access } = wallets.plant("none");
    const other = examineWallet({ ...access, secret: "another" }, OPTIONS);
    await expect(other).rejects.toThrow(/refuses our signature.*401/);
  });
});
