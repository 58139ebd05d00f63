/** The twenty wallet faults W1 to W20, as settings of the fault wallet. */

/** What the test does besides `control`. */
export type WalletTrick = "callbacks" | "down" | "certificate" | "forgets";

export interface WalletMode {
  readonly name: `W${number}`;
  readonly what: string;
  /** Settings of packages/fault-wallet/src/modes.ts. */
  readonly control: Readonly<Record<string, unknown>>;
  /** When the fault ends. `met`: when every payout has met it; a number: after so many minutes. */
  readonly until: "met" | number;
  /** Deadline of calls in ms, instead of the product's 10 s. */
  readonly deadlineMs?: number;
  readonly trick?: WalletTrick;
}

type More = Partial<Omit<WalletMode, "name" | "what" | "control">>;

/** Short deadline for answers that never come. */
const SILENT: More = { deadlineMs: 400 };

function mode(
  name: WalletMode["name"],
  what: string,
  control: WalletMode["control"],
  more: More = {},
): WalletMode {
  // The first call per payout, unless the setting says otherwise.
  return { name, what, control: { first: 1, ...control }, until: "met", ...more };
}

export const WALLET_MODES: readonly WalletMode[] = [
  mode("W1", "no answer, not paid", { mode: "hang" }, SILENT),
  mode("W1", "connection cut, not paid", { mode: "drop" }),
  mode("W2", "paid, no answer", { mode: "pay_then_hang" }, SILENT),
  mode("W2", "paid, connection cut", { mode: "pay_then_drop" }),
  mode("W3", "500, not paid", { mode: "error_500" }),
  mode("W4", "500 after paying", { mode: "pay_then_500" }),
  mode("W4", "500 after paying, 500 when asked", { mode: "pay_then_500", on: "both", first: 4 }),
  mode("W5", "answers twice on a connection", { mode: "answer_twice", on: "both" }),
  mode(
    "W5",
    "says later, twice, what it processed",
    { mode: "processing", seconds: 20, callbacks: 2 },
    { trick: "callbacks" },
  ),
  mode("W6", "paid, answers 1 s later", { mode: "late", seconds: 1 }),
  mode("W6", "pays 60 s later", { mode: "pay_later", seconds: 60 }, SILENT),
  mode("W6", "pays 10 min later", { mode: "pay_later", seconds: 600 }, SILENT),
  mode("W7", "refuses connections for 1 h", { mode: "pay" }, { until: 60, trick: "down" }),
  mode("W8", "blackhole for 10 min", { mode: "blackhole", first: null }, { ...SILENT, until: 10 }),
  mode("W9", "slow body", { mode: "slow_body", seconds: 0.05 }, SILENT),
  mode("W9", "paid, slow body", { mode: "pay_then_slow_body", seconds: 0.05 }, SILENT),
  mode("W9", "endless body", { mode: "endless_body" }),
  mode("W9", "paid, endless body", { mode: "pay_then_endless_body" }),
  mode("W10", "200 with HTML", { mode: "html_200" }),
  mode("W10", "paid, 200 with HTML", { mode: "pay_then_html" }),
  mode("W10", "JSON cut off", { mode: "truncated_json" }),
  mode("W10", "paid, JSON cut off", { mode: "pay_then_truncated_json" }),
  mode("W10", "paid, empty answer", { mode: "pay_then_empty_body" }),
  mode("W11", "200 with a business error", { mode: "business_error" }),
  mode("W11", "paid, 200 with a business error", { mode: "pay_then_business_error" }),
  mode("W12", "429, Retry-After six hours", { mode: "rate_limited", seconds: 21_600, on: "both" }),
  mode("W13", "another number", { mode: "wrong_trans_sn" }),
  mode("W13", "paid, another number", { mode: "pay_then_wrong_trans_sn" }),
  mode("W13", "another amount", { mode: "wrong_amount" }),
  mode("W13", "paid, another amount", { mode: "pay_then_wrong_amount" }),
  mode(
    "W14",
    "forgets its credits after 24 h",
    { mode: "pay_then_500", on: "both", first: null, forgets_after: 86_400 },
    { trick: "forgets" },
  ),
  mode("W15", "duplicate, never paid", { mode: "claims_duplicate" }),
  mode(
    "W16",
    "expired certificate, then another host's",
    { mode: "pay" },
    { trick: "certificate" },
  ),
  mode("W17", "redirect", { mode: "redirect" }),
  mode("W17", "paid, redirect", { mode: "pay_then_redirect" }),
  mode("W18", "not found for 60 s after paying", { mode: "not_found_for", seconds: 60 }),
  mode(
    "W19",
    "half of all calls cut for 30 min, paid",
    { mode: "pay_then_drop", odds: 0.5, on: "both", first: null },
    { until: 30 },
  ),
  mode(
    "W19",
    "half of all calls cut for 30 min, not paid",
    { mode: "drop", odds: 0.5, on: "both", first: null },
    { until: 30 },
  ),
  mode("W20", "its clock is ten minutes off", { mode: "skewed_clock", on: "both", first: 3 }),
];

/** Recorded outcome of a payout's first call under the setting. */
export const HEARD: Readonly<Record<string, string>> = {
  hang: "unclear: timeout",
  pay_later: "unclear: timeout",
  slow_body: "unclear: timeout",
  drop: "unclear: connection ECONNRESET",
  not_found_for: "unclear: connection ECONNRESET",
  error_500: "unclear: status 500",
  500: "unclear: status 500",
  html_200: "unclear: not json",
  html: "unclear: not json",
  truncated_json: "unclear: not json",
  empty_body: "unclear: not json",
  endless_body: "unclear: too long",
  business_error: "unclear: no word",
  rate_limited: "unclear: status 429",
  wrong_trans_sn: "unclear: wrong trans_sn",
  wrong_amount: "unclear: wrong amount",
  claims_duplicate: "unclear: status 409",
  redirect: "unclear: status 302",
  skewed_clock: "unclear: status 401",
  processing: "processing",
  answer_twice: "paid",
  late: "paid",
};

/** What it may be instead: a second answer can meet the next call of its connection. */
export const MAY_HEAR: Readonly<Record<string, string>> = {
  answer_twice: "unclear: wrong trans_sn",
};
