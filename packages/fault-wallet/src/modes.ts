/** The ways in which the test wallet can go wrong, by name. */

/** What the caller gets to see, whatever was booked. */
export type Show =
  | "plain"
  | "refused"
  | "processing"
  | "hang"
  | "late"
  | "error_500"
  | "html"
  | "wrong_trans_sn"
  | "wrong_amount"
  | "drop"
  | "redirect"
  | "slow_body"
  | "truncated_json"
  | "empty_body"
  | "rate_limited"
  | "business_error"
  | "twice"
  | "endless_body"
  | "duplicate"
  | "skewed_clock";

interface Mode {
  /** Is the credit booked before the answer goes wrong? */
  readonly pays: boolean;
  readonly show: Show;
}

function mode(pays: boolean, show: Show): Mode {
  return { pays, show };
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
  /** An answer that comes one byte every `seconds`. */
  slow_body: mode(false, "slow_body"),
  pay_then_slow_body: mode(true, "slow_body"),
  truncated_json: mode(false, "truncated_json"),
  pay_then_truncated_json: mode(true, "truncated_json"),
  empty_body: mode(false, "empty_body"),
  pay_then_empty_body: mode(true, "empty_body"),
  rate_limited: mode(false, "rate_limited"),
  business_error: mode(false, "business_error"),
  pay_then_business_error: mode(true, "business_error"),
  /** Answers, and some moments later once more on the same connection. */
  answer_twice: mode(true, "twice"),
  /** A body that never ends. */
  endless_body: mode(false, "endless_body"),
  pay_then_endless_body: mode(true, "endless_body"),
  /** Calls it a duplicate and has never paid it. */
  claims_duplicate: mode(false, "duplicate"),
  /** Its clock is wrong by more than a signature bears. */
  skewed_clock: mode(false, "skewed_clock"),
  /** Thinks about it for `seconds` and pays then, however often it is asked meanwhile. */
  pay_later: mode(true, "plain"),
  /** Connections are taken and nothing is ever read from them. */
  blackhole: mode(false, "hang"),
  /** Pays, drops the connection, and claims for `seconds` never to have paid. */
  not_found_for: mode(true, "drop"),
} as const satisfies Record<string, Mode>;

export type ModeName = keyof typeof MODES;

/** What `POST /control` sets; it holds until it is set again. */
export interface Control {
  readonly mode: ModeName;
  /** Only every n-th call goes wrong; the others are paid plainly. */
  readonly every: number;
  /** How likely each call is to go wrong, by dice that `seed` decides. */
  readonly odds: number;
  readonly seed: number;
  /** How many calls go wrong before the wallet is well again; null: all. */
  readonly times: number | null;
  /** Of the calls about one payout only so many go wrong; null: all. */
  readonly first: number | null;
  /** Which calls go wrong. */
  readonly on: "pay" | "query" | "both";
  /** Why it refuses. */
  readonly reason: string;
  /** Of `late`, `pay_later`, `slow_body`, `processing`, `not_found_for`, `rate_limited`. */
  readonly seconds: number;
  /** After so many seconds a credit is forgotten, and would be made again; null: never. */
  readonly forgets_after: number | null;
  /** What it shows for itself where it speaks TLS. */
  readonly certificate: "good" | "expired" | "other_host";
  /** What `processing` becomes, and whether we tell or wait to be asked. */
  readonly settle: "paid" | "refused";
  readonly by: "callback" | "query";
  /** How often a later word is sent. */
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

/** The control in a request body; what is left out is as in WELL. A fault is told by its field. */
export function readControl(body: unknown): Control | { readonly wrong: string } {
  if (typeof body !== "object" || body === null || !("mode" in body)) {
    return { wrong: "mode" };
  }
  if (!Object.hasOwn(MODES, String(body.mode))) {
    return { wrong: "mode" };
  }
  const wrong = Object.keys(body).find((name) => !Object.hasOwn(WELL, name));
  // Tests are trusted with the values of fields that there are.
  return wrong === undefined ? { ...WELL, ...(body as Partial<Control>) } : { wrong };
}
