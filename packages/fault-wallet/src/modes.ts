/** The named ways in which the test wallet can fail. */

/** `pays`: whether the credit is booked before the answer fails. */
function mode<const Shown extends string>(pays: boolean, way: Shown) {
  return { pays, way };
}

export const MODES = {
  pay: mode(true, "plain"),
  refuse: mode(false, "refused"),
  processing: mode(false, "processing"),
  hang: mode(false, "hang"),
  pay_then_hang: mode(true, "hang"),
  /** Pays and answers rightly, `seconds` later. */
  late: mode(true, "late"),
  error_500: mode(false, "error_500"),
  pay_then_500: mode(true, "error_500"),
  html_200: mode(false, "html"),
  pay_then_html: mode(true, "html"),
  wrong_trans_sn: mode(false, "wrong_trans_sn"),
  pay_then_wrong_trans_sn: mode(true, "wrong_trans_sn"),
  wrong_amount: mode(false, "wrong_amount"),
  pay_then_wrong_amount: mode(true, "wrong_amount"),
  drop: mode(false, "drop"),
  pay_then_drop: mode(true, "drop"),
  redirect: mode(false, "redirect"),
  pay_then_redirect: mode(true, "redirect"),
  /** An answer that arrives one byte every `seconds`. */
  slow_body: mode(false, "slow_body"),
  pay_then_slow_body: mode(true, "slow_body"),
  truncated_json: mode(false, "truncated_json"),
  pay_then_truncated_json: mode(true, "truncated_json"),
  empty_body: mode(false, "empty_body"),
  pay_then_empty_body: mode(true, "empty_body"),
  rate_limited: mode(false, "rate_limited"),
  business_error: mode(false, "business_error"),
  pay_then_business_error: mode(true, "business_error"),
  /** Answers, and shortly after again on the same connection. */
  answer_twice: mode(true, "twice"),
  endless_body: mode(false, "endless_body"),
  pay_then_endless_body: mode(true, "endless_body"),
  /** Calls the payout a duplicate and has never paid it. */
  claims_duplicate: mode(false, "duplicate"),
  /** Its clock is wrong by more than a signature allows. */
  skewed_clock: mode(false, "skewed_clock"),
  /** Waits for `seconds`, then pays; queries before that do not change it. */
  pay_later: mode(true, "plain"),
  /** Accepts connections and never reads from them. */
  blackhole: mode(false, "hang"),
  /** Pays, drops the connection, and denies the payment for `seconds`. */
  not_found_for: mode(true, "drop"),
};

export type ModeName = keyof typeof MODES;

export type AnswerWay = (typeof MODES)[ModeName]["way"];

/** Set by `POST /control`, until the next one. */
export interface Control {
  readonly mode: ModeName;
  /** Only every n-th call fails; the others are paid and answered plainly. */
  readonly every: number;
  /** The probability that a call fails; `seed` makes it repeatable. */
  readonly odds: number;
  readonly seed: number;
  /** How many calls fail before the wallet recovers; null: all. */
  readonly times: number | null;
  /** How many calls about one payout fail; null: all. */
  readonly first: number | null;
  readonly on: "pay" | "query" | "both";
  readonly reason: string;
  /** Used by `late`, `pay_later`, `slow_body`, `processing`, `not_found_for`, `rate_limited`. */
  readonly seconds: number;
  /** After this many seconds a credit is forgotten and can be made again; null: never. */
  readonly forgets_after: number | null;
  /** The certificate shown when it speaks TLS. */
  readonly certificate: "good" | "expired" | "other_host";
  /** The result of `processing`, and whether a callback or a query settles it. */
  readonly settle: "paid" | "refused";
  readonly by: "callback" | "query";
  /** How many times a callback is sent. */
  readonly callbacks: number;
}

export const WELL: Control = {
  mode: "pay",
  every: 1,
  odds: 1,
  seed: 1,
  times: null,
  first: null,
  on: "pay",
  reason: "account frozen",
  seconds: 1,
  forgets_after: null,
  certificate: "good",
  settle: "paid",
  by: "callback",
  callbacks: 1,
};

/** The control in a request body, with the defaults of WELL; or the name of a wrong field. */
export function readControl(body: unknown): Control | { readonly wrong: string } {
  if (typeof body !== "object" || body === null || !("mode" in body)) {
    return { wrong: "mode" };
  }
  if (!Object.hasOwn(MODES, String(body.mode))) {
    return { wrong: "mode" };
  }
  const wrong = Object.keys(body).find((name) => !Object.hasOwn(WELL, name));
  // Tests are trusted with the values of known fields.
  return wrong === undefined ? { ...WELL, ...(body as Partial<Control>) } : { wrong };
}
