/** The rules of a wallet (docs/integration.md), and the findings about each. */

export const WALLET_RULES = {
  signature: "a call that is not signed as it must be is answered 401 or 403 and pays nothing",
  timestamp: "a timestamp is taken up to 300 s off and refused beyond that",
  nonce: "a nonce that was used before is refused",
  never_paid: "a number that was never paid is answered 404",
  answer: "a payout is answered with status 200 and a word",
  in_time: "every answer comes before the caller gives up",
  redirect: "no call is redirected",
  json: "a word is a JSON object, with content type application/json",
  status: "the word's status is paid, refused or processing",
  trans_sn: "the word names the trans_sn of the call",
  amount: "the word repeats the amount as the decimal text that was sent",
  idempotent: "the same payout sent again is not paid again and answered with the same word",
  remembered: "what is paid stays paid, and says so when it is asked about",
  parallel: "the same payout sent many times at once is paid once",
  changed_amount: "another amount under a trans_sn that is paid is not paid",
  statement: "the statement lists each payout of its span once, as it was paid",
  refusal: "a refusal is not remembered: the same trans_sn sent later is judged afresh",
} as const;

export type WalletRule = keyof typeof WALLET_RULES;

/** `skipped`: left out on purpose. `unchecked`: should have been checked, but something prevented it. */
export type Verdict = "kept" | "broken" | "unchecked" | "skipped";

export interface RuleFinding {
  readonly rule: WalletRule;
  readonly verdict: Verdict;
  /** What was observed, or why nothing could be observed; empty for a kept rule. */
  readonly detail: string;
}

const WEIGHT: Readonly<Record<Verdict, number>> = { kept: 0, skipped: 1, unchecked: 2, broken: 3 };

// Object.keys widens the keys to string.
const RULES = Object.keys(WALLET_RULES) as WalletRule[];

export function createFindings() {
  const findings = new Map<WalletRule, RuleFinding>();

  /** Records a verdict. If a rule has several, the first of the worst is kept. */
  function note(rule: WalletRule, verdict: Verdict, detail: string): void {
    const before = findings.get(rule);
    if (before === undefined || WEIGHT[verdict] > WEIGHT[before.verdict]) {
      findings.set(rule, { rule, verdict, detail });
    }
  }

  return {
    note,
    judge: (rule: WalletRule, isKept: boolean, detail: string) =>
      isKept ? note(rule, "kept", "") : note(rule, "broken", detail),
    isBroken: (rule: WalletRule) => findings.get(rule)?.verdict === "broken",
    /** One finding per rule, in the order of WALLET_RULES. */
    all: () =>
      RULES.map(
        (rule): RuleFinding =>
          findings.get(rule) ?? { rule, verdict: "unchecked", detail: "nothing was to be seen" },
      ),
  };
}

export type Findings = ReturnType<typeof createFindings>;
