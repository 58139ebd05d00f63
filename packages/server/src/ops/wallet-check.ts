/** Checks a wallet before real money is paid through it. */
import { PAYOUT_LIMITS } from "#payouts/payout-job";
import { examineWallet } from "@red/wallet-check/examine";
import { AMOUNT_BOUND, plannedAmounts } from "@red/wallet-check/examination";
import { WALLET_RULES } from "@red/wallet-check/findings";
import type { RuleFinding, Verdict } from "@red/wallet-check/findings";
import type { Call, Command, Report } from "./command.ts";

const PLAYER = "wallet-check";
const WAIT_SECONDS = 30;
const WAIT_SECONDS_MAX = 600;

const MARKS: Readonly<Record<Verdict, string>> = {
  kept: "ok     ",
  broken: "BROKEN ",
  unchecked: "OPEN   ",
  skipped: "skipped",
};

function announce(url: string, player: string, amounts: readonly string[]): string[] {
  return [
    `${url} is asked to pay ${amounts.length} times, ${amounts.join(" + ")}, to player ${player};`,
    "each number (trans_sn) begins with check-. A wallet that breaks the rules may pay more often:",
    `at most ${AMOUNT_BOUND} in all. Have the credits taken back afterwards.`,
  ];
}

function findingLine({ rule, verdict, detail }: RuleFinding, width: number): string {
  const what = verdict === "kept" ? WALLET_RULES[rule] : `${WALLET_RULES[rule]}: ${detail}`;
  return `${MARKS[verdict]}  ${rule.padEnd(width)}  ${what}`;
}

function waitMsOf(text: string): number {
  const seconds = text === "" ? WAIT_SECONDS : Number(text);
  if (!(seconds >= 0 && seconds <= WAIT_SECONDS_MAX)) {
    throw new Error(`--wait is "${text}": give seconds from 0 to ${WAIT_SECONDS_MAX}`);
  }
  return seconds * 1_000;
}

function conclusion(findings: readonly RuleFinding[]): string {
  const named = (verdict: Verdict) =>
    findings.filter((finding) => finding.verdict === verdict).map(({ rule }) => rule);
  const broken = named("broken");
  const open = named("unchecked");
  if (broken.length > 0) {
    return `the wallet breaks ${broken.length} rule(s): ${broken.join(", ")}`;
  }
  return open.length > 0
    ? `nothing is known to be broken, but ${open.length} rule(s) could not be checked: ${open.join(", ")}`
    : "the wallet keeps every rule that was checked";
}

async function run(call: Call): Promise<Report> {
  const { wallet, redCodeDefault, businessTimeZone } = call.config;
  if (wallet === null) {
    throw new Error("no wallet was named");
  }
  const player_id = call.value("player") === "" ? PLAYER : call.value("player");
  const refused_player = call.value("refused-player") === "" ? null : call.value("refused-player");
  const waitMs = waitMsOf(call.value("wait"));
  const plan = announce(wallet.url, player_id, plannedAmounts(refused_player !== null));
  if (!call.has("yes")) {
    return {
      json: { ok: false, plan: plan.join(" ") },
      lines: [...plan, "Nothing was sent. To go ahead, add --yes."],
      isFault: true,
    };
  }
  plan.forEach((line) => call.say(line));
  const { findings, paid } = await examineWallet(wallet, {
    player_id,
    user_name: call.value("user-name") === "" ? player_id : call.value("user-name"),
    refused_player,
    red_code: redCodeDefault,
    timeZone: businessTimeZone,
    waitMs,
    deadlineMs: PAYOUT_LIMITS.callDeadlineMs,
  });
  const ok = findings.every(({ verdict }) => verdict === "kept" || verdict === "skipped");
  const width = Math.max(...findings.map(({ rule }) => rule.length));
  return {
    json: {
      ok,
      rules: findings.map((finding) => ({ ...finding, claim: WALLET_RULES[finding.rule] })),
      paid: paid.map(({ call: { trans_sn, amount }, word }) => ({
        trans_sn,
        amount,
        wallet_ref: word.wallet_ref,
      })),
    },
    lines: [
      ...findings.map((finding) => findingLine(finding, width)),
      ...paid.map(({ call: { trans_sn, amount } }) => `paid     ${amount} as ${trans_sn}`),
      conclusion(findings),
    ],
    isFault: !ok,
  };
}

export const walletCheckCommand: Command = {
  name: "wallet-check",
  summary: "play payouts against a wallet and name each rule that it breaks; pays a few cents",
  positional: "url",
  options: {
    url: {
      value: "URL",
      help: "the wallet, as WALLET_URL would name it",
      required: true,
      variable: "WALLET_URL",
    },
    key: { value: "KEY", help: "instead of WALLET_KEY", variable: "WALLET_KEY" },
    secret: {
      value: "SECRET",
      help: "instead of WALLET_SECRET; others on this machine can see it while the command runs",
      variable: "WALLET_SECRET",
    },
    player: { value: "ID", help: `the player who is paid; ${PLAYER} by default` },
    "user-name": { value: "NAME", help: "that player's account; the same text by default" },
    "refused-player": {
      value: "ID",
      help: "a player whom the wallet refuses; without one a rule stays open, and the exit code is 1",
    },
    wait: {
      value: "SECONDS",
      help: `how long a payout may be processed; ${WAIT_SECONDS} by default`,
    },
    yes: { help: "pay: without it the command only says what it would do" },
  },
  run,
};
